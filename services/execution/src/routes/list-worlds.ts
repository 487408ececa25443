import type { Route } from '../context.ts'

export const listWorlds: Route<'listWorlds'> = async (_request, { worlds, sandbox }) => ({
  status: 200,
  body: {
    items: worlds.map((world) => {
      const { id, languages = sandbox.languages } = world
      const lacking = sandbox.missing(world)
      return { id, languages: sandbox.languages.filter((language) => languages.includes(language) && lacking[language] === undefined) }
    }),
  },
})
