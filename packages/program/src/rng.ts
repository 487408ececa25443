/**
 * Seeded randomness, passed as an argument wherever something is drawn: the same seed gives the same bytes
 * on any machine. A fork is an independent stream named by a label, so drawing more in one place never
 * shifts another.
 */
import { hash } from 'node:crypto'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

export interface RandomSource {
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
  fork(label: string | number): RandomSource
}

const whole = 0x1_0000_0000

export const createRng = (seed: string | number): RandomSource => new SeededRng(String(seed))

class SeededRng implements RandomSource {
  private readonly name: string
  /**
   * Made at the first draw: hashing the name takes longer than many draws, and some streams are only forked.
   */
  private generator: RandomGenerator | undefined = undefined

  constructor(name: string) {
    this.name = name
  }

  private bits(): RandomGenerator {
    return (this.generator ??= startGenerator(this.name))
  }
  int(min: number, max: number): number {
    const size = max - min + 1
    if (size < 1) throw new RangeError(`empty range ${min}..${max}`)
    return size <= whole ? drawBelow(this.bits(), size) + min : uniformInt(this.bits(), min, max)
  }
  unit(): number {
    return drawUnsigned(this.bits()) / whole
  }
  chance(probability: number): boolean {
    return this.unit() < probability
  }
  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)] as T
  }
  weighted<T>(items: readonly T[], weight: (item: T) => number): T {
    const weights: number[] = []
    let total = 0
    for (const item of items) {
      const one = weight(item)
      weights.push(one)
      total += one
    }
    let remainder = this.unit() * total
    for (let at = 0; at < items.length; at++) {
      remainder -= weights[at] as number
      if (remainder < 0) return items[at] as T
    }
    return items[items.length - 1] as T
  }
  shuffle<T>(items: readonly T[]): T[] {
    const out = items.slice()
    for (let at = out.length - 1; at > 0; at--) {
      const other = this.int(0, at)
      const item = out[at] as T
      out[at] = out[other] as T
      out[other] = item
    }
    return out
  }
  sample<T>(items: readonly T[], count: number): T[] {
    const out = this.shuffle(items)
    if (out.length > count) out.length = count
    return out
  }
  fork(label: string | number): RandomSource {
    return new SeededRng(`${this.name}/${label}`)
  }
}

/** The generator whose state is the beginning of the name's hash, four words of 32 bits. */
function startGenerator(name: string): RandomGenerator {
  // The hash is text of one character a byte, which is twice as fast as a buffer.
  const bytes = hash('sha256', name, 'binary')
  const words: number[] = [readWord(bytes, 0), readWord(bytes, 4), readWord(bytes, 8), readWord(bytes, 12)]
  if (words.every((word) => !word)) words[0] = 1
  return xoroshiro128plusFromState(words)
}
const readWord = (bytes: string, at: number) =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3)

/** 32 random bits as a number from 0. */
const drawUnsigned = (generator: RandomGenerator) => (generator.next() ^ 0x80000000) >>> 0

/**
 * A number from 0 to one less than the size, which is 2^32 at most: what `uniformInt` gives, in arithmetic of
 * 32 bits.
 */
function drawBelow(generator: RandomGenerator, size: number): number {
  const bound = size > 2 ? Math.floor(whole / size) * size : whole
  let value = drawUnsigned(generator)
  while (value >= bound) value = drawUnsigned(generator)
  return size === whole ? value : value % (size >>> 0)
}
