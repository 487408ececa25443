/**
 * Tells whether two sequences are one graph: its nodes are calls, its edges references. Calls that are alike
 * may stand for each other wherever all references follow. Colour refinement separates calls by what they use
 * and what uses them; where it can't, calls are paired by trial. Both stop at a bound, as two graphs can be
 * made so that deciding takes exponential time.
 */
import { PyDict, isDict, type PyValue, formatPyStr } from '../python/value.ts'
import { alikeByName, isSameCall, sameByPairs } from './align.ts'
import type { LinkedCalls } from './calls.ts'

/** For each gold call, the place of the predicted one. Null: they differ. */
type SequenceIsomorphism = readonly number[] | null | 'undecided'

/**
 * Limit of visited nodes and edges: about a second of work. Published samples, and answers to them, need some
 * dozens.
 */
const maxWork = 1_000_000

/** A reference as an edge: where it stands in its call, and the call that it leads to. */
interface ReferenceEdge {
  slot: string
  target: number
}

/** For sequences of the same length only; each call of `gold` has its only partner in `prediction`. */
export function findIsomorphism(
  gold: LinkedCalls,
  prediction: LinkedCalls,
  bound: number = maxWork,
): SequenceIsomorphism {
  const n = gold.calls.length
  if (n !== prediction.calls.length) return null
  const alike = listAlikeCalls(gold, prediction)
  const edges = alike && [...listEdges(gold, 0), ...listEdges(prediction, n)]
  // A reference that leads to no earlier call has no edge, and such a sequence can't run.
  if (!edges || edges.some((list) => list.some(({ target }) => Number.isNaN(target)))) return null
  return new IsomorphismSearch(n, edges, alike, bound, (pairs) => {
    const same = sameByPairs(gold, prediction, pairs)
    return pairs.every((j, i) => isSameCall(gold, prediction, i, j, same))
  }).search(refineClasses(alike))
}

/**
 * For each gold call, the predicted calls that look the same by their own text alone. Null where one has
 * none.
 */
function listAlikeCalls(gold: LinkedCalls, prediction: LinkedCalls): readonly ReadonlySet<number>[] | null {
  const byName = Map.groupBy(prediction.calls.keys(), (j) => prediction.calls[j]!.name)
  const same = alikeByName(gold, prediction)
  const partners: Set<number>[] = []
  for (const [i, { name }] of gold.calls.entries()) {
    const alike = (byName.get(name) ?? []).filter((j) => isSameCall(gold, prediction, i, j, same))
    if (alike.length === 0) return null
    partners.push(new Set(alike))
  }
  return partners
}

/**
 * A colour for each gold call, then for each predicted one: the same for calls that are alike, or alike to
 * the same ones.
 */
function refineClasses(alike: readonly ReadonlySet<number>[]): number[] {
  const n = alike.length
  const parent = Array.from({ length: 2 * n }, (_, at) => at)
  const rootOf = (node: number): number => {
    let root = node
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!
    return root
  }
  for (const [i, partners] of alike.entries()) for (const j of partners) parent[rootOf(n + j)] = rootOf(i)
  return parent.map((_, node) => rootOf(node))
}

/** @param first the number of the first call as a node. */
function listEdges(linked: LinkedCalls, first: number): ReferenceEdge[][] {
  return linked.calls.map(({ args }, at) => {
    const edges: ReferenceEdge[] = []
    const walk = (value: PyValue, slot: string) => {
      if (typeof value === 'string')
        for (const [k, { target }] of linked.linksIn(at, value).entries())
          edges.push({ slot: `${slot}/${k}`, target: typeof target === 'number' ? first + target : NaN })
      else if (Array.isArray(value)) for (const [k, item] of value.entries()) walk(item, `${slot}/${k}`)
      else if (isDict(value))
        for (const [key, item] of value) walk(item, `${slot}/${JSON.stringify(formatPyStr(key))}`)
    }
    walk(new PyDict(args), '')
    return edges.sort((a, b) => (a.slot < b.slot ? -1 : 1))
  })
}

class IsomorphismSearch {
  readonly #n: number
  readonly #uses: readonly (readonly ReferenceEdge[])[]
  readonly #usedBy: readonly (readonly ReferenceEdge[])[]
  readonly #alike: readonly ReadonlySet<number>[]
  readonly #isSame: (pairs: readonly number[]) => boolean
  readonly #size: number
  #left: number

  constructor(
    n: number,
    uses: readonly (readonly ReferenceEdge[])[],
    alike: readonly ReadonlySet<number>[],
    bound: number,
    isSame: (pairs: readonly number[]) => boolean,
  ) {
    const usedBy = uses.map((): ReferenceEdge[] => [])
    for (const [node, edges] of uses.entries())
      for (const { slot, target } of edges) usedBy[target]!.push({ slot, target: node })
    ;[this.#n, this.#uses, this.#usedBy, this.#alike] = [n, uses, usedBy, alike]
    ;[this.#isSame, this.#left] = [isSame, bound]
    this.#size = uses.reduce((sum, edges) => sum + 1 + 2 * edges.length, 0)
  }

  search(colours: readonly number[]): SequenceIsomorphism {
    const classes = this.#refined(colours)
    if (classes === null || classes === 'undecided') return classes
    let open: { gold: number[]; prediction: number[] } | undefined
    for (const one of classes.values())
      if (one.gold.length > 1 && (!open || one.gold.length < open.gold.length)) open = one
    if (!open) {
      const pairs: number[] = []
      for (const { gold, prediction } of classes.values()) pairs[gold[0]!] = prediction[0]! - this.#n
      return this.#isSame(pairs) ? pairs : null
    }
    const [pivot] = open.gold as [number, ...number[]]
    const stable: number[] = []
    for (const [colour, { gold, prediction }] of classes)
      for (const node of [...gold, ...prediction]) stable[node] = colour
    for (const partner of open.prediction) {
      if (!this.#alike[pivot]!.has(partner - this.#n)) continue
      const newColour = classes.size
      const result = this.search(stable.with(pivot, newColour).with(partner, newColour))
      if (result !== null) return result
    }
    return null
  }

  /**
   * Groups nodes by colour: nodes of one colour use the same and are used by the same. Null where the graphs
   * differ in a colour.
   */
  #refined(
    colours: readonly number[],
  ): Map<number, { gold: number[]; prediction: number[] }> | null | 'undecided' {
    for (let [current, count] = [colours, 0]; ;) {
      this.#left -= this.#size
      if (this.#left < 0) return 'undecided'
      const ids = new Map<string, number>()
      const classes = new Map<number, { gold: number[]; prediction: number[] }>()
      const next = current.map((colour, node) => {
        const ends = (edges: readonly ReferenceEdge[]) =>
          edges.map(({ slot, target }) => `${slot}>${current[target]}`)
        const sign = [colour, ...ends(this.#uses[node]!), '<', ...ends(this.#usedBy[node]!).sort()].join(' ')
        const id = ids.get(sign) ?? ids.size
        ids.set(sign, id)
        const one = classes.get(id) ?? { gold: [], prediction: [] }
        one[node < this.#n ? 'gold' : 'prediction'].push(node)
        classes.set(id, one)
        return id
      })
      for (const { gold, prediction } of classes.values()) if (gold.length !== prediction.length) return null
      if (classes.size === count) return classes
      ;[current, count] = [next, classes.size]
    }
  }
}
