import type { Route } from '../context.ts'

export const listWorlds: Route<'listWorlds'> = async (_request, { worlds }) => ({
  status: 200,
  body: { items: worlds.map(({ id }) => ({ id })) },
})
