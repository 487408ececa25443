/**
 * Which adjacent pairs some program can hold: the ceiling of adjacent transition coverage, which is below M²
 * where one API can never follow another. Found by breadth-first search over abstract states of the state
 * machine: the last API, the APIs that can be called now, and which were called once and which more often.
 * Traces in the same abstract state continue much alike, so a few traces stand for all of them.
 */
import { createRng, formatPair, type RandomSource, type Scenario } from '@stateeval/program'
import { begin } from './compose.ts'
import { selectOperations } from './generate.ts'
import { type MoveSearch, listMoves, pickMove } from './moves.ts'
import { findOperation } from './strategies/strategy.ts'
import { extendTrace, type ProgramTrace } from './trace.ts'

interface FeasibleOptions {
  /** Calls on every execution path. */
  length: number
  /** Opt-in APIs besides the scenario's own. */
  apis: readonly string[]
  /** The only APIs to call, where a generation names them. */
  only?: readonly string[]
}

/** Initialisation blocks that are searched from. */
const starts = 24
/**
 * Traces that stand for an abstract state: they differ in what no abstract state tells, such as how many
 * items there are.
 */
const maxVisits = 3
/** Parametrisations of a call that are gone on with. */
const tried = 2
/** States that are looked at: what isn't found within them counts as impossible. */
const maxStates = 800
/** Number of calls for which a trace must be able to continue behind a pair, if the program is that long. */
const onwards = 3

/** Searches are kept: by scenario, length and opt-in APIs. */
const pairCaches = new WeakMap<object, Map<string, ReadonlySet<string>>>()

/**
 * The names of the pairs, without duplicates. Deterministic, for any seed of programs. A pair not found
 * within the bound is left out, so a caller that has seen it in a program must add it.
 */
export function listFeasiblePairs(
  scenario: Scenario,
  { length, apis, only }: FeasibleOptions,
): ReadonlySet<string> {
  const cache = pairCaches.get(scenario) ?? new Map<string, ReadonlySet<string>>()
  pairCaches.set(scenario, cache)
  const key = `${length}/${[...apis].sort().join()}${only ? `/${[...only].sort().join()}` : ''}`
  const pairs =
    cache.get(key) ??
    search({ scenario, operations: selectOperations(scenario, { apis, ...(only && { only }) }) }, length)
  cache.set(key, pairs)
  return pairs
}

function search<W>(search: MoveSearch<W>, length: number): Set<string> {
  const { scenario, operations } = search
  const rng = createRng(`${scenario.id}/feasible`)
  const [pairs, late] = [new Set<string>(), new Set<string>()]
  const visits = new Map<string, number>()
  let layer: ProgramTrace<W>[] = Array.from({ length: starts }, (_, n) => begin(scenario, rng.fork(n)).first)
  let traceCount = 0
  for (let calls = 0; calls < length; calls++) {
    const next: ProgramTrace<W>[] = []
    for (const trace of layer) {
      if (pairs.size === operations.length ** 2 || traceCount++ >= maxStates) return pairs
      const last = trace.history.apis.at(-1)
      const possible = operations.flatMap((operation) => {
        const moves = listMoves(search, trace, operation, rng)
        return moves.length > 0 ? [{ operation, moves }] : []
      })
      // A pair that ends a trace too early is possible where it comes last: then states are looked at again,
      // further on.
      const state = [
        late.size > 0 ? calls : '',
        last,
        formatCallCounts(trace.history.apis),
        possible.map(({ operation }) => operation.id),
      ].join('/')
      const before = visits.get(state) ?? 0
      visits.set(state, before + 1)
      const stands = calls === 0 || before < maxVisits
      for (const { operation, moves } of possible) {
        const name = last === undefined ? undefined : formatPair(last, operation.id)
        const isNew = name !== undefined && !pairs.has(name)
        if (!isNew && !stands) continue
        const children = rng.sample(moves, tried).map((move) => extendTrace(trace, move, operation))
        if (
          isNew &&
          children.some((child) => canContinue(search, child, Math.min(onwards, length - calls - 1), rng))
        ) {
          pairs.add(name)
          late.delete(name)
        } else if (isNew) late.add(name)
        if (stands) next.push(...children)
      }
    }
    layer = rng.shuffle(next)
  }
  return pairs
}

/** The APIs in one order, each twice at most: more of the same makes no difference. */
const formatCallCounts = (apis: readonly string[]) =>
  apis.toSorted().filter((api, n, sorted) => api !== sorted[n - 2])

/** Tells whether a trace can continue for so many more calls. */
function canContinue<W>(
  search: MoveSearch<W>,
  trace: ProgramTrace<W>,
  calls: number,
  rng: RandomSource,
): boolean {
  if (calls === 0) return true
  for (const operation of rng.shuffle(search.operations)) {
    const move = pickMove(listMoves(search, trace, operation, rng), rng)
    if (
      move &&
      canContinue(search, extendTrace(trace, move, findOperation(search, move.call.api)), calls - 1, rng)
    )
      return true
  }
  return false
}
