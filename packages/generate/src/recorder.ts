/** The frequency recorder ν: how often each pair has been generated, over all programs of a generation. */
import { startOfTrace } from '@stateeval/program'

/**
 * Pairs stand in square tables over the APIs, ⊥ being the first: every draw of a program works on a copy, and looks up
 * each pair of each possible call, so both are to cost next to nothing.
 */
export class Recorder {
  private readonly places: ReadonlyMap<string, number>
  private linked: number[]
  private adjacent: number[]
  private linkedSize = 0
  private linkedFromStart = 0
  private adjacentSize = 0
  /** Calls since one made a pair transition, or adjacent pair, for the first time. */
  stale = 0

  constructor(apis: readonly string[], other?: Recorder) {
    this.places = other?.places ?? new Map([startOfTrace, ...apis].map((api, place) => [api, place]))
    if (other) {
      this.linked = other.linked
      this.adjacent = other.adjacent
      this.adopt(other)
    } else {
      this.linked = new Array<number>(this.places.size ** 2).fill(0)
      this.adjacent = new Array<number>(this.places.size ** 2).fill(0)
    }
  }

  /** A copy to work on: adopting it keeps what was recorded, dropping it rolls back. */
  copy(): Recorder {
    return new Recorder([], this)
  }

  /** Goes on from another's counts. */
  adopt(other: Recorder): void {
    this.linked = other.linked.slice()
    this.adjacent = other.adjacent.slice()
    this.linkedSize = other.linkedSize
    this.linkedFromStart = other.linkedFromStart
    this.adjacentSize = other.adjacentSize
    this.stale = other.stale
  }

  private place(from: string, to: string): number {
    return (this.places.get(from) as number) * this.places.size + (this.places.get(to) as number)
  }

  /** Records a call: the transitions that it goes on from, and its adjacency to the call before it, if any. */
  record(producers: readonly string[], previous: string | undefined, api: string): void {
    const known = this.pairs + this.adjacentPairs
    for (const from of producers) {
      const at = this.place(from, api)
      const count = this.linked[at] as number
      if (count === 0) this.linkedSize++
      if (count === 0 && from === startOfTrace) this.linkedFromStart++
      this.linked[at] = count + 1
    }
    if (previous !== undefined) {
      const at = this.place(previous, api)
      const count = this.adjacent[at] as number
      if (count === 0) this.adjacentSize++
      this.adjacent[at] = count + 1
    }
    this.stale = this.pairs + this.adjacentPairs > known ? 0 : this.stale + 1
  }

  /** ν of a pair transition, and of an adjacent one. */
  count(from: string, to: string): number {
    return this.linked[this.place(from, to)] as number
  }
  countAdjacent(from: string, to: string): number {
    return this.adjacent[this.place(from, to)] as number
  }

  /** How many distinct pair transitions there are, those from ⊥ too and without them, and how many adjacent pairs. */
  get pairs() {
    return this.linkedSize
  }
  get pairsBetweenCalls() {
    return this.linkedSize - this.linkedFromStart
  }
  get adjacentPairs() {
    return this.adjacentSize
  }
}
