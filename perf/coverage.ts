/**
 * How many programs each strategy needs until every feasible adjacent pair has been generated, against a
 * proven lower bound; and how adjacent and pair transition coverage grow (StateEval, Fig. 3). Options:
 * --seeds N (200). Programs that a model writes stand beside these in `stateeval paper --tables fig3
 * --baseline-model NAME`.
 */
import { parseArgs } from 'node:util'
import { listFeasiblePairs, type StrategyId, strategyIds } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { plot } from './strategies/plot.ts'
import {
  bandOf,
  cap,
  curve,
  deviation,
  length,
  mean,
  measure,
  type Run,
  shownPrograms,
} from './strategies/measure.ts'
import type { Bench, BenchPart } from './result.ts'

const colours: Record<StrategyId, string> = {
  planned: '#1b7837',
  coverage: '#2166ac',
  random: '#b2182b',
}

type Runs = Record<StrategyId, Run[]>

export async function run(options: string[]): Promise<Bench> {
  const seeds = seedsIn(options)
  const each = scenarios.map((scenario) => ofScenario(scenario, seeds))
  return {
    about: `Programs until every feasible adjacent pair is covered: ${scenarios.map(({ id }) => id).join(', ')}; ${length} calls, ${seeds} seeds.`,
    parts: each.flatMap(({ parts }) => parts),
    notes: [
      '`coverage` and `random` run without the observability filter, as in the paper; `planned` runs with it. With control flow, the bound is computed for each seed from the positions of the branches. ' +
        `A run without full coverage after ${cap} programs counts as ${cap}.`,
      howTo,
      ...each.map(({ notes }) => notes),
    ].join('\n\n'),
    files: Object.fromEntries(each.flatMap(({ files }) => files)),
  }
}

const howTo =
  'The paper’s LLM-only baseline, a model that writes programs from the documentation alone, is available as `npx stateeval paper --tables fig3 --baseline-model NAME` ([paper](paper.md)).'

function seedsIn(options: string[]): number {
  const { values } = parseArgs({ args: options, options: { seeds: { type: 'string', default: '200' } } })
  if (!/^[1-9]\d{0,4}$/.test(values.seeds))
    throw new Error(`--seeds must be an integer from 1, not ${values.seeds}`)
  return Number(values.seeds)
}

function ofScenario(scenario: Scenario, seeds: number) {
  const apis = scenario.operations.filter(({ optIn }) => !optIn).length
  const square = apis ** 2
  // A pair is feasible if some program of this length can hold it; others are not counted against anyone.
  const feasible = listFeasiblePairs(scenario, { length, apis: [] }).size
  const bound = Math.ceil(feasible / (length - 1))
  const upTo = shownPrograms
  const columns = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40].filter((n) => n <= upTo)
  const runs = (controlFlow: boolean) =>
    Object.fromEntries(
      strategyIds.map((strategy) => [
        strategy,
        Array.from({ length: seeds }, (_, seed) =>
          measure(scenario, strategy, controlFlow, seed, feasible, upTo),
        ),
      ]),
    ) as Runs
  const straight = runs(false)
  const branched = runs(true)
  const file = `coverage-${scenario.id}.svg`
  return {
    parts: [
      ...parts(straight, `${scenario.id}, straight`, () => bound, true),
      ...parts(branched, `${scenario.id}, with control flow`, (run) => run.bound, false),
    ],
    notes: [
      `### ${scenario.id}`,
      `${feasible === square ? `All ${square}` : `${feasible} of ${square}`} adjacent pairs over ${apis} APIs are feasible in programs of ${length} calls, found by a search over the states of the state machine${feasible === square ? '' : '; a share of 1 of M² is out of reach'}. A straight program contains at most ${length - 1} pairs, so no strategy needs fewer than ⌈${feasible}/${length - 1}⌉ = ${bound} programs. ${feasible === square ? 'The allowed starts and ends of programs do not raise this bound: each API has as many incoming as outgoing pairs, so a flow through all of them repeats none.' : 'It is a bound by count: where programs may begin and end can raise it.'}`,
      'Adjacent transition coverage after N programs (mean share of M², and the range of 90 % of the seeds; straight / with control flow):',
      growth(straight, branched, 'adjacent', square, columns),
      ...(feasible === square
        ? []
        : [
            `The same against the ${feasible} feasible pairs:`,
            growth(straight, branched, 'adjacent', feasible, columns),
          ]),
      'Pair transitions after N programs (mean number, and the range of 90 % of the seeds; straight / with control flow):',
      growth(straight, branched, 'linked', 1, columns),
      ...[straight, branched].map((all, at) =>
        comparison(all, at === 0 ? 'Straight' : 'With control flow', upTo),
      ),
      `![coverage of ${scenario.id}](../perf/results/${file})`,
    ].join('\n\n'),
    files: [
      [
        file,
        plot(`Adjacent transition coverage, ${scenario.id}, straight programs`, 'programs', 'ATC', [
          ...strategyIds.map((name) => {
            const share = (values: readonly number[]) => values.map((value) => value / square)
            const { low, high } = bandOf(straight[name], 'adjacent', upTo)
            const band = { low: share(low), high: share(high) }
            return {
              name,
              colour: colours[name],
              values: share(curve(straight[name], 'adjacent', upTo)),
              band,
            }
          }),
        ]),
      ] as const,
    ],
  }
}

/** ratio = bound / programs needed: 1 is the best possible, and planned has to reach 1/1.15. */
function parts(runs: Runs, kind: string, boundOf: (run: Run) => number, aimed: boolean): BenchPart[] {
  return strategyIds.map((strategy) => {
    const needed = runs[strategy].map(({ until }) => until ?? cap)
    const peer = mean(runs[strategy].map(boundOf))
    const aim = strategy === 'planned' && aimed ? { aim: 1 / 1.15 } : {}
    return {
      name: `${strategy}, ${kind} (peer: lower bound)`,
      unit: 'programs',
      ours: mean(needed),
      peer,
      ratio: peer / mean(needed),
      spread: deviation(needed),
      ...aim,
    }
  })
}

function growth(
  straight: Runs,
  branched: Runs,
  of: 'adjacent' | 'linked',
  scale: number,
  columns: readonly number[],
): string {
  const digits = scale === 1 ? 1 : 2
  const shownAs = (count: number) => (count / scale).toFixed(digits)
  const value = (runs: Run[], n: number) => {
    const { low, high } = bandOf(runs, of, n)
    const mid = shownAs(curve(runs, of, n)[n - 1]!)
    return low.at(-1) === high.at(-1) ? mid : `${mid} (${shownAs(low.at(-1)!)}–${shownAs(high.at(-1)!)})`
  }
  const rows = strategyIds.map(
    (strategy) =>
      `| ${strategy} | ${columns.map((n) => `${value(straight[strategy], n)} / ${value(branched[strategy], n)}`).join(' | ')} |`,
  )
  return [
    `| strategy | ${columns.join(' | ')} |`,
    `| --- | ${columns.map(() => '---:').join(' | ')} |`,
    ...rows,
  ].join('\n')
}

/**
 * planned's pair transitions held against coverage's at each number of programs: on the mean, and seed by
 * seed.
 */
function comparison({ planned, coverage }: Runs, kind: string, upTo: number): string {
  const other = curve(coverage, 'linked', upTo)
  const lead = curve(planned, 'linked', upTo).map((value, at) => value - (other[at] as number))
  const least = Math.min(...lead)
  const worst = planned.map(
    (run, seed) => run.linked.filter((value, at) => value < (coverage[seed]?.linked[at] ?? 0)).length,
  )
  const never = worst.filter((count) => count === 0).length
  return `${kind}: at every N from 1 to ${upTo} \`planned\` leads \`coverage\` in pair transitions by ${least.toFixed(2)} or more on average (least at N = ${lead.indexOf(least) + 1}). By seed, it is never behind for ${never} of ${planned.length} seeds; over all seeds and N, it is behind in ${((100 * mean(worst)) / upTo).toFixed(1)}% of the cases.`
}
