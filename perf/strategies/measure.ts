/** How fast a strategy covers the pairs of a scenario, for one seed. */
import type { Program } from '@stateeval/contracts'
import { defaultOptions, generate, type StrategyId } from '@stateeval/generate'
import { isCall, type Scenario } from '@stateeval/program'

export const length = 5
/** Curves show so many programs; a run goes on until all pairs are covered, or gives up at `cap`. */
export const shownPrograms = 30
export const cap = 200

export interface Run {
  /** Programs until all pairs were covered; null where they weren't within `cap`. */
  until: number | null
  /** After each program: distinct adjacent pairs, and distinct pair transitions. */
  adjacent: number[]
  linked: number[]
  /** The least number of programs that could hold all pairs, given where these programs are split. */
  bound: number
  names: Set<string>
}

/**
 * The most distinct adjacent pairs that a program of this form can hold: then has n - 1 of them, otherwise
 * n - split more.
 */
const capacity = ({ body, branch }: Program) =>
  length - 1 + (branch ? length - body.filter(isCall).length : 0)

export function measure(
  scenario: Scenario,
  strategy: StrategyId,
  controlFlow: boolean,
  seed: number,
  pairs: number,
  programs = shownPrograms,
  count = cap,
): Run {
  // The paper's strategies run without our filter, which they don't have; planned has to do with it.
  const options = {
    ...defaultOptions,
    count,
    length,
    seed,
    strategy,
    controlFlow,
    observable: strategy === 'planned',
  }
  const run: Run = {
    until: null,
    adjacent: [],
    linked: [],
    bound: 0,
    names: new Set(),
  }
  let room = 0
  for (const { program, adjacent, adjacentCovered, pairsCovered, index } of generate(scenario, options)) {
    for (const name of adjacent) run.names.add(name)
    if (room < pairs) run.bound++
    room += capacity(program)
    run.until ??= adjacentCovered >= pairs ? index + 1 : null
    if (index < programs) {
      run.adjacent.push(adjacentCovered)
      run.linked.push(pairsCovered)
    }
    if (run.until !== null && index + 1 >= programs) break
  }
  return run
}

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
export const deviation = (values: readonly number[]) =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)))
const after = (runs: readonly Run[], of: 'adjacent' | 'linked', at: number) =>
  runs.map((run) => run[of][at] ?? (run[of].at(-1) as number))

/** The mean after 1, 2, 3 … programs. */
export const curve = (runs: readonly Run[], of: 'adjacent' | 'linked', count = shownPrograms) =>
  Array.from({ length: count }, (_, at) => mean(after(runs, of, at)))

/** What nine of ten runs lie between, after each number of programs. */
export function bandOf(
  runs: readonly Run[],
  of: 'adjacent' | 'linked',
  count = shownPrograms,
): { low: number[]; high: number[] } {
  const sortedColumns = Array.from({ length: count }, (_, at) => after(runs, of, at).sort((a, b) => a - b))
  const at = (share: number) =>
    sortedColumns.map((values) => values[Math.round(share * (values.length - 1))]!)
  return { low: at(0.05), high: at(0.95) }
}
