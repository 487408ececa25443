/**
 * Seeded randomness, passed in as an argument wherever something is drawn: same seed, same bytes, on any machine.
 * A fork is an independent stream named by a label, so that drawing more in one place never shifts another.
 */
import { hash } from 'node:crypto'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

export interface Rng {
  /** An integer in [min, max], both included. */
  int(min: number, max: number): number
  /** A number in [0, 1) with 32 random bits. */
  unit(): number
  chance(probability: number): boolean
  /** One element; throws on an empty list, which is a bug of the caller. */
  pick<T>(items: readonly T[]): T
  /** One element, with a chance proportional to its weight. */
  weighted<T>(items: readonly T[], weight: (item: T) => number): T
  shuffle<T>(items: readonly T[]): T[]
  /** `count` different elements in random order; all of them where there are fewer. */
  sample<T>(items: readonly T[], count: number): T[]
  /** An independent stream; does not advance this one. */
  fork(label: string | number): Rng
}

/** Started at the first draw: hashing the name takes longer than many draws, and some streams are only forked. */
function started(name: string): RandomGenerator {
  const digest = hash('sha256', name, 'buffer')
  const words: number[] = ([0, 4, 8, 12] as const).map((at): number => digest.readInt32BE(at))
  if (words.every((word) => !word)) words[0] = 1
  return xoroshiro128plusFromState(words)
}

export function createRng(seed: string | number): Rng {
  const name = String(seed)
  let generator: RandomGenerator | undefined
  const int = (min: number, max: number) => {
    if (max < min) throw new RangeError(`empty range ${min}..${max}`)
    return uniformInt((generator ??= started(name)), min, max)
  }
  const unit = () => uniformInt((generator ??= started(name)), 0, 0xffffffff) / 0x1_0000_0000
  const rng: Rng = {
    int,
    unit,
    chance: (probability) => unit() < probability,
    pick: <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T,
    weighted: (items, weight) => {
      const total = items.reduce((sum, item) => sum + weight(item), 0)
      let left = unit() * total
      for (const item of items) {
        left -= weight(item)
        if (left < 0) return item
      }
      return items[items.length - 1] as (typeof items)[number]
    },
    shuffle: <T>(items: readonly T[]) => {
      const out = [...items]
      for (let i = out.length - 1; i > 0; i--) {
        const j = int(0, i)
        ;[out[i], out[j]] = [out[j] as T, out[i] as T]
      }
      return out
    },
    sample: (items, count) => rng.shuffle(items).slice(0, count),
    fork: (label) => createRng(`${name}/${label}`),
  }
  return rng
}
