/** The frequency recorder ν: how often each pair has been generated, over all programs of a generation. */
import { startOfTrace } from '@stateeval/program'

/**
 * Pairs stand in square tables over the APIs, ⊥ being the first: every draw of a program works on a copy, and
 * looks up each pair of each possible call, so both are to cost next to nothing.
 */
interface PairCounts {
  linked: number[]
  adjacent: number[]
  /** Distinct pairs: linked ones, those of them from ⊥, and adjacent ones. */
  linkedSize: number
  linkedFromStart: number
  adjacentSize: number
  stale: number
}
const createPairCounts = (cells: number): PairCounts => ({
  linked: new Array<number>(cells).fill(0),
  adjacent: new Array<number>(cells).fill(0),
  linkedSize: 0,
  linkedFromStart: 0,
  adjacentSize: 0,
  stale: 0,
})
const copyCounts = ({ linked, adjacent, ...sizes }: PairCounts): PairCounts => ({
  linked: linked.slice(),
  adjacent: adjacent.slice(),
  ...sizes,
})

export class PairRecorder {
  private readonly places: ReadonlyMap<string, number>
  private counts: PairCounts

  constructor(apis: readonly string[], other?: PairRecorder) {
    this.places = other?.places ?? new Map([startOfTrace, ...apis].map((api, place) => [api, place]))
    this.counts = other ? copyCounts(other.counts) : createPairCounts(this.places.size ** 2)
  }

  /** A copy to work on: adopting it keeps what was recorded, dropping it rolls back. */
  copy(): PairRecorder {
    return new PairRecorder([], this)
  }

  /** Goes on from another's counts. */
  adopt(other: PairRecorder): void {
    this.counts = copyCounts(other.counts)
  }

  private place(from: string, to: string): number {
    return (this.places.get(from) as number) * this.places.size + (this.places.get(to) as number)
  }

  /** Records a call: the transitions that it continues, and its adjacency to the call before it, if any. */
  record(producers: readonly string[], previous: string | undefined, api: string): void {
    const { counts } = this
    const pairsBefore = this.pairs + this.adjacentPairs
    for (const from of producers) {
      const at = this.place(from, api)
      const count = counts.linked[at] as number
      if (count === 0) counts.linkedSize++
      if (count === 0 && from === startOfTrace) counts.linkedFromStart++
      counts.linked[at] = count + 1
    }
    if (previous !== undefined) {
      const at = this.place(previous, api)
      const count = counts.adjacent[at] as number
      if (count === 0) counts.adjacentSize++
      counts.adjacent[at] = count + 1
    }
    counts.stale = this.pairs + this.adjacentPairs > pairsBefore ? 0 : counts.stale + 1
  }

  /** ν of a pair transition, and of an adjacent one. */
  count(from: string, to: string): number {
    return this.counts.linked[this.place(from, to)] as number
  }
  countAdjacent(from: string, to: string): number {
    return this.counts.adjacent[this.place(from, to)] as number
  }

  /**
   * How many distinct pair transitions there are, those from ⊥ too and without them, and how many adjacent
   * pairs.
   */
  get pairs() {
    return this.counts.linkedSize
  }
  get pairsBetweenCalls() {
    return this.counts.linkedSize - this.counts.linkedFromStart
  }
  get adjacentPairs() {
    return this.counts.adjacentSize
  }
  /** Calls since one made a pair transition, or adjacent pair, for the first time. */
  get stale() {
    return this.counts.stale
  }
}
