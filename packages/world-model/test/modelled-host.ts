import { createModelledWorld, type LiveHost, type WorldModel } from '../src/index.ts'

/** A model's own world in this process, as a host that is probed and certified. */
export function createModelledHost(model: WorldModel, seed?: number): LiveHost {
  const world = createModelledWorld(model, seed)
  return {
    prefix: 'se-',
    pause: async () => {},
    reset: async () => world.reset(),
    send: async (request) => ({ ...world.answer(request), text: '', headers: {} }),
  }
}
