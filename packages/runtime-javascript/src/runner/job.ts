/** Reads the host's first message before candidate code runs; nothing else happens meanwhile. */
import { readSync } from 'node:fs'
import { frameFd } from '@stateeval/runtime/protocol'

const chunkBytes = 1 << 16
const noMark = Buffer.alloc(0)

/** The value of one frame, after the mark if there is one: data before it was meant for others. */
export function readFrame(mark: Buffer = noMark, fd = frameFd): unknown {
  let held: Buffer = noMark
  const readMore = (most: number) => {
    const chunk = Buffer.allocUnsafe(most)
    const count = readSync(fd, chunk, 0, most, null)
    if (count === 0) {
      // The host is gone. A child must not look as if its program had ended.
      process.kill(process.pid, 'SIGKILL')
      process.exit(0)
    }
    held = Buffer.concat([held, chunk.subarray(0, count)])
  }
  let at = mark.length === 0 ? 0 : -1
  while (at < 0) {
    // Text before the mark was meant for others. Only its end is kept, which may begin the mark: it must not
    // use up this program's memory.
    held = held.subarray(Math.max(0, held.length - mark.length + 1))
    readMore(chunkBytes)
    at = held.indexOf(mark)
  }
  const begin = at + mark.length + 4
  // Not a byte more: calls and their replies come after it.
  while (held.length < begin) readMore(begin - held.length)
  const end = begin + held.readUInt32BE(begin - 4)
  while (held.length < end) readMore(end - held.length)
  return JSON.parse(held.toString('utf8', begin, end))
}
