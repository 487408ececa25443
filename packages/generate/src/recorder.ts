/** The frequency recorder ν: how often each pair has been generated, over all programs of a generation. */
import { pairName } from '@stateeval/program'

export class Recorder {
  private linked: Map<string, number>
  private adjacent: Map<string, number>
  /** Calls since one made a pair transition, or adjacent pair, for the first time. */
  stale: number

  constructor(linked: Map<string, number> = new Map(), adjacent: Map<string, number> = new Map(), stale = 0) {
    this.linked = linked
    this.adjacent = adjacent
    this.stale = stale
  }

  /** A copy to work on: adopting it keeps what was recorded, dropping it rolls back. */
  copy(): Recorder {
    return new Recorder(new Map(this.linked), new Map(this.adjacent), this.stale)
  }

  /** Goes on from another's counts. */
  adopt(other: Recorder): void {
    this.linked = other.linked
    this.adjacent = other.adjacent
    this.stale = other.stale
  }

  /** Records a call: its pair transitions, and its adjacency to the call before it, if any. */
  record(pairs: readonly string[], previous: string | undefined, api: string): void {
    const known = this.linked.size + this.adjacent.size
    for (const pair of pairs) this.linked.set(pair, (this.linked.get(pair) ?? 0) + 1)
    if (previous !== undefined) {
      const pair = pairName(previous, api)
      this.adjacent.set(pair, (this.adjacent.get(pair) ?? 0) + 1)
    }
    this.stale = this.linked.size + this.adjacent.size > known ? 0 : this.stale + 1
  }

  /** ν of a pair transition, and of an adjacent one. */
  count = (pair: string) => this.linked.get(pair) ?? 0
  countAdjacent = (from: string, to: string) => this.adjacent.get(pairName(from, to)) ?? 0

  linkedPairs = () => [...this.linked.keys()]
  adjacentPairs = () => [...this.adjacent.keys()]
}
