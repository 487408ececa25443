/** Which groups a case belongs to, in the order in which a report shows them. */
import { type Case, describeScenario, type ReportResult, type ScoredSample } from '@stateeval/contracts'
import { isNested, listExecutionPaths, isCall, measurePathDepth, listWrittenSteps } from '@stateeval/program'
import { rateSamples } from '@stateeval/score'

type ReportOptions = ReportResult['options']
const listCaseApis = (c: Case) => [
  ...new Set(listWrittenSteps(c.program).flatMap((step) => (isCall(step) ? [step.api] : []))),
]
const dimensions: readonly [string, (c: Case, options: ReportOptions) => readonly (string | number)[]][] = [
  ['scenario', (c) => [describeScenario(c.scenario)]],
  ['api', listCaseApis],
  [
    'length',
    (c) => [Math.max(...listExecutionPaths(c.program).map(({ steps }) => steps.filter(isCall).length))],
  ],
  ['branch', (c) => [isNested(c.program) ? 'nested if/else' : c.program.branch ? 'if/else' : 'straight']],
  ['path_depth', (c) => [measurePathDepth(c.program)]],
  ['language', (_, { language }) => (typeof language === 'string' ? [language] : [])],
]

/** The pass rate within each group; a case that calls three APIs counts in three of them. */
export function rateGroups(
  samples: readonly ScoredSample[],
  cases: ReadonlyMap<string, Case>,
  options: ReportOptions = {},
): ReportResult['groups'] {
  const groups = dimensions.map(([dimension, namesOf]) => {
    const members = new Map<string | number, ScoredSample[]>()
    const names = new Map([...cases].map(([id, c]) => [id, namesOf(c, options)]))
    for (const sample of samples) {
      for (const name of names.get(sample.case) ?? []) {
        const group = members.get(name)
        if (group) group.push(sample)
        else members.set(name, [sample])
      }
    }
    const ordered = [...members].sort(([a], [b]) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
    )
    const rates = ordered.map(([name, group]) => ({ name: String(name), rate: rateSamples(group) }))
    return [dimension, dimension === 'api' ? groupByScenario(rates, cases) : rates] as const
  })
  return Object.fromEntries(groups)
}

/**
 * APIs of several scenarios stand together with their scenario's others, each with its name; of one scenario
 * they stay as they are.
 */
function groupByScenario<T extends { name: string }>(
  apis: readonly T[],
  cases: ReadonlyMap<string, Case>,
): (T & { scenario?: string })[] {
  const scenarioOf = new Map(
    [...cases.values()].flatMap((c) => listCaseApis(c).map((api) => [api, c.scenario] as const)),
  )
  const scenarios = [...new Set([...cases.values()].map(({ scenario }) => scenario))].sort()
  if (scenarios.length < 2) return [...apis]
  return scenarios.flatMap((scenario) =>
    apis.filter(({ name }) => scenarioOf.get(name) === scenario).map((one) => ({ ...one, scenario })),
  )
}
