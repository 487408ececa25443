/** Replaces modules that axios loads but ordinary requests do not use. */
import { bail } from '../host.ts'

export const promisify = () => bail('util.promisify')
export const isDeepStrictEqual = () => bail('util.isDeepStrictEqual')
export const callbackify = () => bail('util.callbackify')
export const inspect = () => bail('util.inspect')
export const inherits = () => bail('util.inherits')
export const randomFillSync = () => bail('crypto')
export const resolve = () => bail('path')
export const connect = () => bail('http2')
export default class Unused {
  constructor() {
    bail('a module of Node')
  }
}
