/**
 * The host’s functions for a surface’s module, and the module's results. It runs next to candidate code, so
 * the builtins that it uses are saved before that code starts.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { ProgramSurface, SurfaceHost, SurfaceResult } from '@stateeval/runtime'

/** The module’s text as a compiled function. */
export type SurfaceModule = (module: { exports: unknown }, exports: unknown) => void
export const surfaceFile = 'surface.js'
export const wrapSurfaceCode = ({ source }: NonNullable<ProgramSurface['javascript']>) =>
  `(function(module,exports){${source}\n})`

/** How calls leave: names and arguments as text, replies as the text of a CallReply. */
interface CallDoor {
  call(name: string, args: string, settle: (reply: string) => void): void
  callSync(name: string, args: string): string
}

const { stringify, parse } = JSON
const PromiseBase = Promise
const { apply } = Reflect
/* eslint-disable @typescript-eslint/unbound-method -- called by Reflect.apply, or without one */
const { captureStackTrace } = Error
const { indexOf, slice } = String.prototype
/* eslint-enable @typescript-eslint/unbound-method */
const byteLength = Buffer.byteLength.bind(Buffer)
const { defineProperty } = Object
/** Error classes that replies may name and the language has: `instanceof` works with them. */
const classes: Readonly<Record<string, ErrorConstructor | null>> = {
  __proto__: null,
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
}

type HostReply = { ok: true; value: JsonValue } | { ok: false; error: { name: string; message: string } }

/** `bounds.resultBytes` is the maximum length of arguments. */
export function createSurfaceHost(door: CallDoor, bounds: { resultBytes: number }): SurfaceHost {
  const textOf = (name: string, args: unknown) => {
    if (typeof name !== 'string') throw new TypeError('The name of a call must be a string')
    const text = stringify(args) ?? 'null'
    const { resultBytes: bytes } = bounds
    if (text.length * 3 > bytes && byteLength(text) > bytes)
      throw new RangeError(`The arguments of ${name} are longer than ${bytes / 1024} KiB`)
    return text
  }
  return {
    call: (name, args) =>
      new PromiseBase((resolve, reject) => {
        const text = textOf(name, args)
        const place = captureHere()
        door.call(name, text, (answer) => {
          const reply = parse(answer) as HostReply
          if (reply.ok) resolve(reply.value)
          else reject(createThrown(reply.error, place))
        })
      }),
    callSync(name, args) {
      const reply = parse(door.callSync(name, textOf(name, args))) as HostReply
      if (reply.ok) return reply.value
      throw createThrown(reply.error)
    },
  }
}

const captureHere = (): { stack?: string } => {
  const place = {}
  captureStackTrace(place, captureHere)
  return place
}

/** `place` is where the call was made, where that isn’t here. */
function createThrown(
  { name, message }: { name: string; message: string },
  place?: { stack?: string },
): Error {
  const error = new (classes[name] ?? Error)(message)
  const define = (key: string, value: unknown) =>
    defineProperty(error, key, { value, writable: true, configurable: true, enumerable: false })
  if (error.name !== name) define('name', name)
  if (place !== undefined) {
    const stack = place.stack ?? ''
    const frames = apply(indexOf, stack, ['\n    at '])
    define('stack', `${name}: ${message}${frames < 0 ? '' : apply(slice, stack, [frames])}`)
  }
  return error
}

/** Runs the module. An error in it is the surface’s own failure. */
export function loadSurroundings(load: SurfaceModule, host: SurfaceHost): SurfaceResult {
  const module = { exports: {} as { surface?: (host: SurfaceHost) => SurfaceResult } }
  load(module, module.exports)
  return module.exports.surface!(host)
}

/** The variables as candidates see them. */
export function decodeVariables(
  variables: Record<string, unknown>,
  { decode }: SurfaceResult,
): Record<string, unknown> {
  if (!decode) return variables
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, decode(value as JsonValue)]),
  )
}
