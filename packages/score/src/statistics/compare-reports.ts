/**
 * Reports of one benchmark side by side: their models under distinct names, compared case by case, group by
 * group.
 */
import {
  canonicalJson,
  type ComparisonResource,
  maxDiffering,
  type Rate,
  type ReportResult,
} from '@stateeval/contracts'
import { compareMeasures, comparePolicies } from './compare-measures.ts'
import { compareModels, type ModelCounts } from './compare-models.ts'
import type { CaseCount } from './pass-at-k.ts'
import { computeRateBracket, listOutcomes, withSample } from './rate.ts'
import { roundNumber } from './rounded.ts'

/** `names` are those of the reports, in order. The seed draws the resamples of the intervals. */
export function compareReports(
  results: readonly ReportResult[],
  { seed }: { seed: number | string },
): { names: string[] } & Required<
  Pick<ComparisonResource, 'comparison' | 'groups' | 'differing' | 'policies' | 'measures'>
> {
  const names = formatModelNames(results)
  const counts = results.map((result, n) => countCases(names[n] as string, result))
  return {
    names,
    comparison: compareModels(counts, { seed }),
    policies: comparePolicies(results, names, seed),
    measures: compareMeasures(results, names, seed),
    groups: compareGroups(results),
    differing: listDifferingCases(counts),
  }
}

type RatesOfEach = Pick<NonNullable<ComparisonResource['differing']>[number], 'rates' | 'brackets'>
const collectRates = (all: readonly Partial<Pick<Rate, 'rate' | 'bracket'>>[]): RatesOfEach => ({
  rates: all.map(({ rate = null }) => rate),
  ...(all.some(({ bracket }) => bracket) && { brackets: all.map(({ bracket = null }) => bracket) }),
})

/** Cases that have a score in several reports, and not the same rate in all of these. */
function listDifferingCases(counts: readonly ModelCounts[]): ({ case: string } & RatesOfEach)[] {
  const names = [...new Set(counts.flatMap(({ cases }) => [...cases.keys()]))].sort()
  const all = names.map((name) => ({
    case: name,
    ...collectRates(
      counts.map(({ cases }) => {
        const { samples = 0, passed = 0, unscored = 0 } = cases.get(name) ?? {}
        const bracket = computeRateBracket(passed, samples, unscored)
        return { rate: samples > 0 ? roundNumber(passed / samples) : null, ...(bracket && { bracket }) }
      }),
    ),
  }))
  return all
    .filter(({ rates }) => new Set(rates.filter((rate) => rate !== null)).size > 1)
    .slice(0, maxDiffering)
}

/** The counts of each case. */
function countCases(name: string, { samples }: ReportResult): ModelCounts {
  const cases = new Map<string, CaseCount>()
  for (const { case: id, passed } of listOutcomes(samples)) cases.set(id, withSample(cases.get(id), passed))
  return { name, cases }
}

/** The model, with the options that tell one evaluation from another where the models' names don't. */
function formatModelNames(results: readonly ReportResult[]): string[] {
  const keys = [...new Set(results.flatMap(({ options }) => Object.keys(options)))].sort()
  const differingKeys = keys.filter(
    (key) => new Set(results.map(({ options }) => canonicalJson(options[key] ?? null))).size > 1,
  )
  const names = results.map(({ model, options }) => {
    if (results.filter((one) => one.model === model).length === 1) return model
    const optionTexts = differingKeys
      .filter((key) => options[key] !== undefined)
      .map((key) => `${key} ${formatOption(options[key])}`)
    return optionTexts.length ? `${model} (${optionTexts.join(', ')})` : model
  })
  return names.map((name, at) =>
    names.filter((one) => one === name).length > 1 ? `${name} #${at + 1}` : name,
  )
}

const formatOption = (value: unknown) => (typeof value === 'object' ? canonicalJson(value) : String(value))

type ReportGroup = ReportResult['groups'][string][number]

function compareGroups(results: readonly ReportResult[]): ComparisonResource['groups'] {
  const dimensions = [...new Set(results.flatMap(({ groups }) => Object.keys(groups)))]
  return Object.fromEntries(
    dimensions.map((dimension) => {
      const keyOf = ({ scenario, name }: ReportGroup) => JSON.stringify([scenario, name])
      const all = results.flatMap(({ groups }) => groups[dimension] ?? [])
      const members = new Map(all.map((group) => [keyOf(group), group]))
      const rateOf = ({ groups }: ReportResult, key: string) =>
        groups[dimension]?.find((group) => keyOf(group) === key)?.rate ?? {}
      return [
        dimension,
        [...members].map(([key, { name, scenario }]) => ({
          name,
          ...(scenario !== undefined && { scenario }),
          ...collectRates(results.map((result) => rateOf(result, key))),
        })),
      ]
    }),
  )
}
