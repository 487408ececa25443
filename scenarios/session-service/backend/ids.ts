/** Ids: 24 hex digits as MongoDB's, always growing, so that the order of ids is the order of insertion. */
import { createHash, createHmac } from 'node:crypto'

/** Which of two ranges: initial items stand before everything that is added later. */
const prefixes = { initial: 0x60, added: 0x70 }

/**
 * Ids that grow by random-looking steps, fully determined by the seed. The first byte says the range, three
 * more and the start come from the seed, so that no two seeds share ids; 2^30 ids of steps below 2^32 never
 * leave 64 bits.
 */
export function createIds(seed: string | Uint8Array, range: keyof typeof prefixes): () => string {
  const head = createHash('sha256').update(range).update(seed).digest()
  const prefix = Buffer.from([prefixes[range], ...head.subarray(0, 3)]).toString('hex')
  let last = head.readBigUInt64BE(8) >> 2n
  let count = 0
  return () => {
    const step = createHmac('sha256', head).update(String(count++)).digest().readUInt32BE(0)
    last += BigInt(step) + 1n
    return prefix + last.toString(16).padStart(16, '0')
  }
}

/**
 * Ids of a service that runs for long: the seconds since 1970 first, as in MongoDB's own, then this process's
 * random part and a counter that starts anew each second, so that they grow within the process.
 */
export function createClockIds(random: Uint8Array, now: () => Date): () => string {
  const machine = Buffer.from(random).subarray(0, 5).toString('hex')
  let second = 0
  let count = 0
  return () => {
    const current = Math.max(second, Math.floor(now().getTime() / 1000))
    count = current === second ? count + 1 : 0
    // 2^24 ids in one second are out of reach; were they not, the next second is borrowed.
    second = count > 0xffffff ? current + 1 : current
    if (count > 0xffffff) count = 0
    return second.toString(16).padStart(8, '0') + machine + count.toString(16).padStart(6, '0')
  }
}
