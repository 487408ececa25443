/** The world `none`: no counterpart, no sockets. For programs that only compute. */
import type { World } from './world.ts'

export const createNoWorld = (): World => ({
  id: 'none',
  open: () =>
    Promise.resolve({
      channel: { kind: 'none' },
      observe: () =>
        Promise.resolve({
          world: { state: {}, ids: { initial: [], created: [] }, gone: [] },
          log: [],
          faults: [],
        }),
      close: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
})
