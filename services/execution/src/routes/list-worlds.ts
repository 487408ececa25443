import type { Route } from '../context.ts'

export const listWorlds: Route<'listWorlds'> = async (_request, { worlds, sandbox }) => ({
  status: 200,
  body: {
    items: worlds.map(({ id, languages = sandbox.languages }) => ({
      id,
      languages: sandbox.languages.filter((language) => languages.includes(language)),
    })),
  },
})
