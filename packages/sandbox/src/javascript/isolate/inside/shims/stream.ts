/** Streams: an isolate contains none, and creating one needs a process. */
import { bail } from '../host.ts'

class Stream {
  constructor() {
    bail('stream')
  }
}
export { Stream }
export class Readable extends Stream {
  static from = () => bail('stream')
}
export class Duplex extends Stream {}
export class Transform extends Stream {}
export const pipeline = () => bail('stream')
export const finished = () => bail('stream')
