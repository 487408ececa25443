/** The layer between a world of functions and candidate code. */
import type { JsonValue } from '@stateeval/contracts'

/** The result of a call: its value, or an error that is thrown at the call. */
export type CallReply =
  | { ok: true; value: JsonValue }
  | { ok: false; error: { name: string; message: string } }

/**
 * Modules of ours that stand between the host’s functions and candidate code, inside the jail and before that
 * code starts. Keep the object, not just its texts, the same from run to run: what is compiled of it is kept.
 *
 * JavaScript: the text of a CommonJS module without imports that exports `surface(host: SurfaceHost):
 * Surroundings`. It is run before the process forks, which no timer or handle survives. Python: the text of a
 * module that defines `surface(host)`, with `host.call(name, args)` (blocking; `callSync` is the same),
 * giving a dict with the same keys.
 */
export interface ProgramSurface {
  javascript?: { source: string }
  python?: { source: string }
}

/**
 * The arguments of a surface, in JavaScript. Both functions throw (or reject with) an error with the
 * reply’s name and message.
 */
export interface SurfaceHost {
  call(this: void, name: string, args: JsonValue): Promise<JsonValue>
  /** Blocks until the host has answered. */
  callSync(this: void, name: string, args: JsonValue): JsonValue
}

/** The result of a surface, in JavaScript. */
export interface SurfaceResult {
  /** Defined as globals before the code runs. */
  globals?: Readonly<Record<string, unknown>>
  /** Modules that `require` and `import` give by name, besides axios and Node's own. */
  modules?: Readonly<Record<string, unknown>>
  /** Decodes each input variable once. */
  decode?(this: void, value: JsonValue): unknown
  /** Encodes RESULT before it is read as JSON. */
  encode?(this: void, value: unknown): unknown
}
