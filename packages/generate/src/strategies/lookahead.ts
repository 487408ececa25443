/** The uncovered part: adjacent pairs that no program has yet, as a graph over APIs. */

/** Tells whether the pair that ends here occurs earlier, too. */
function isThere(sequence: readonly number[], end: number): boolean {
  for (let at = 1; at < end; at++)
    if (sequence[at] === sequence[end] && sequence[at - 1] === sequence[end - 1]) return true
  return false
}

/** A square table over APIs by number: whether a pair is still uncovered. */
export class PairLookahead {
  readonly size: number
  private readonly open: boolean[]

  constructor(size: number, uncovered: (from: number, to: number) => boolean) {
    this.size = size
    this.open = Array.from({ length: size * size }, (_, index) =>
      uncovered(Math.floor(index / size), index % size),
    )
  }

  isOpen(from: number, to: number): boolean {
    return this.open[from * this.size + to] as boolean
  }
  get isEmpty() {
    return !this.open.includes(true)
  }

  /** How many new pairs a sequence of APIs covers, each counted once. */
  gain(sequence: readonly number[]): number {
    let gain = 0
    for (let at = 1; at < sequence.length; at++)
      if (this.isOpen(sequence[at - 1] as number, sequence[at] as number) && !isThere(sequence, at)) gain++
    return gain
  }

  /**
   * How many walks the rest needs at least once a sequence is taken: a walk enters an API as often as it
   * leaves it, so every surplus of open pairs that leave an API starts its own walk; one that can't be the
   * first call costs more.
   */
  surplusAfter(sequence: readonly number[], canStart: (api: number) => boolean): number {
    const balance = new Array<number>(this.size).fill(0)
    const takenPairs = new Set<number>()
    for (let at = 1; at < sequence.length; at++)
      takenPairs.add((sequence[at - 1] as number) * this.size + (sequence[at] as number))
    this.open.forEach((open, pair) => {
      if (!open || takenPairs.has(pair)) return
      const [from, to] = [Math.floor(pair / this.size), pair % this.size]
      balance[from] = (balance[from] as number) + 1
      balance[to] = (balance[to] as number) - 1
    })
    return balance.reduce((sum, surplus, api) => sum + Math.max(0, surplus) * (canStart(api) ? 1 : 1.5), 0)
  }
}

/**
 * All sequences with this number of APIs that extend one, or the start; the extended one comes first. They
 * are cached, and must not be changed.
 */
export function listSequences(size: number, calls: number, from?: number): readonly (readonly number[])[] {
  const key = `${size}/${calls}/${from}`
  const cachedSequences = sequenceCache.get(key)
  if (cachedSequences) return cachedSequences
  let all: number[][] = [from === undefined ? [] : [from]]
  for (let call = 0; call < calls; call++) {
    const longer: number[][] = []
    for (const sequence of all) for (let api = 0; api < size; api++) longer.push([...sequence, api])
    all = longer
  }
  if (sequenceCache.size >= maxFound) sequenceCache.clear()
  sequenceCache.set(key, all)
  return all
}
/** A set of programs asks for some dozens, of which the longest are some hundred kilobytes. */
const sequenceCache = new Map<string, readonly (readonly number[])[]>()
const maxFound = 60
