/** A surface’s module inside the isolate: its calls pass through host.ts. */
import { decoded, surfaceHost, type SurfaceModule, surroundingsOf } from '../../runner/surface.ts'
import { encodeWith, fail } from './end.ts'
import { host } from './host.ts'
import { alsoGive } from './modules.ts'
import { hideStack } from './stack.ts'

const waiting = { __proto__: null } as Record<number, ((reply: string) => void) | undefined>
let count = 0

/** Called by the runner with the reply to a call. */
export function reply(id: number, text: string) {
  const settle = waiting[id]
  delete waiting[id]
  settle?.(text)
}

/** Runs the module, and defines its globals and the converted variables. */
export function surround(
  load: SurfaceModule,
  variables: Record<string, unknown>,
  bytes: number,
  define: (name: string, value: unknown) => void,
) {
  const door = {
    call(name: string, args: string, settle: (reply: string) => void) {
      const id = ++count
      waiting[id] = settle
      host('call', id, name, args)
    },
    callSync: (name: string, args: string) => host('callSync', name, args),
    hide: hideStack,
  }
  try {
    const surroundings = surroundingsOf(load, surfaceHost(door, { resultBytes: bytes }))
    for (const [name, value] of Object.entries({
      ...surroundings.globals,
      ...decoded(variables, surroundings),
    }))
      define(name, value)
    if (surroundings.modules) alsoGive(surroundings.modules)
    if (surroundings.encode) encodeWith(surroundings.encode)
  } catch (error) {
    fail(error)
  }
}
