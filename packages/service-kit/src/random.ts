/** Random bytes for ids. */
import { randomFillSync } from 'node:crypto'

/** Asking for many takes as long as asking for a few. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** So many random bytes, in hexadecimal digits. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
