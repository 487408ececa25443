/** Writing that is done when it returns. */
import { writeSync } from 'node:fs'

export function writeAll(fd: number, bytes: Uint8Array) {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written, bytes.length - written)
}
