/** Random bytes for ids. */
import { randomFillSync } from 'node:crypto'

/** Asking for many takes as long as asking for a few. */
const pool = Buffer.alloc(4096)
let usedBytes = pool.length

/** Random bytes in hexadecimal digits. */
export function drawRandomHex(bytes: number): string {
  if (usedBytes + bytes > pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  usedBytes += bytes
  return pool.toString('hex', usedBytes - bytes, usedBytes)
}
