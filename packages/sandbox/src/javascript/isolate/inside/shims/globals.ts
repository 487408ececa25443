/** Globals that axios reads, inserted by the bundler; the candidate’s are defined in ../globals.ts. */
export { Buffer } from './buffer.ts'
export { URL } from '../url.ts'
export { URLSearchParams } from '../url-search-params.ts'
export { setTimeout, clearTimeout } from '../timers.ts'
import { env } from '../process.ts'

export const process = {
  env,
  versions: {},
  nextTick: (callback: () => void) => void Promise.resolve().then(callback),
  [Symbol.toStringTag]: 'process',
}
/** Encodes the few fixed texts of axios; ordinary requests never use it. */
export class TextEncoder {
  encode(text: string) {
    return Uint8Array.from(text, (mark) => mark.charCodeAt(0))
  }
}
export const performance = { now: Date.now }
/**
 * Names that axios looks for and must not find: its other adapters, and kinds of bodies that need a
 * process.
 */
export const Blob = undefined
export const FormData = undefined
export const Request = undefined
export const Response = undefined
export const ReadableStream = undefined
export const fetch = undefined
export const navigator = undefined
export const XMLHttpRequest = undefined
export const setImmediate = undefined
