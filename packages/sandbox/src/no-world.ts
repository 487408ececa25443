/** The world `none`: no counterpart, no sockets. For programs that only compute. */
import type { SandboxWorld } from './world.ts'

export const createNoWorld = (): SandboxWorld => ({
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
