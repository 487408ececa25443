/** The frequency recorder ν: how often each pair has been generated, over all programs of a generation. */
import { pairName } from '@stateeval/program'

export class Recorder {
  private linked: Map<string, number>
  private adjacent: Map<string, number>

  constructor(linked: Map<string, number> = new Map(), adjacent: Map<string, number> = new Map()) {
    this.linked = linked
    this.adjacent = adjacent
  }

  /** A copy to work on: adopting it keeps what was recorded, dropping it rolls back. */
  copy(): Recorder {
    return new Recorder(new Map(this.linked), new Map(this.adjacent))
  }

  /** Goes on from another's counts. */
  adopt(other: Recorder): void {
    this.linked = other.linked
    this.adjacent = other.adjacent
  }

  /** Records a call: its pair transitions, and its adjacency to the call before it, if any. */
  record(pairs: readonly string[], previous: string | undefined, api: string): void {
    for (const pair of pairs) this.linked.set(pair, (this.linked.get(pair) ?? 0) + 1)
    if (previous === undefined) return
    const pair = pairName(previous, api)
    this.adjacent.set(pair, (this.adjacent.get(pair) ?? 0) + 1)
  }

  /** ν of a pair transition, and of an adjacent one. */
  count = (pair: string) => this.linked.get(pair) ?? 0
  countAdjacent = (from: string, to: string) => this.adjacent.get(pairName(from, to)) ?? 0

  linkedPairs = () => [...this.linked.keys()]
  adjacentPairs = () => [...this.adjacent.keys()]
}
