/** Statistics over numbers of samples and passes. Pure. */
import { ProblemError, type scoringOperations } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import {
  computeClusteredInterval,
  compareModels,
  explanations,
  isShortComparison,
  averageOverCases,
  estimatePassAllOfK,
  estimatePassAtK,
  resamples,
  roundNumber,
  computeWilson,
} from '@stateeval/score'
import type { OperationBody } from '@stateeval/service-kit/bodies'

type StatisticsRequest = OperationBody<typeof scoringOperations.computeStatistics>
interface GroupCount {
  case: string
  samples: number
  passed: number
}

/** Steps that take some ten milliseconds. */
const fewSteps = 500_000

/** Tells whether the statistics take no longer than other requests do. */
export function isShortStatistics({ clustered = [], passAtK: atK, models = [] }: StatisticsRequest): boolean {
  const draws = clustered.reduce((sum, { cases }) => sum + cases.length * resamples, 0)
  const factors = (atK?.k ?? []).reduce((sum, k) => sum + k * (atK?.cases.length ?? 0), 0)
  const cases = Math.max(0, ...models.map((one) => one.cases.length))
  const samples = models.flatMap((one) => one.cases).reduce((sum, one) => sum + one.samples, 0)
  return (
    draws + factors + samples <= fewSteps && (models.length === 0 || isShortComparison(models.length, cases))
  )
}

/** Throws a problem that names a number that cannot be. */
export function computeStatistics({
  proportions = [],
  clustered = [],
  passAtK: atK,
  models = [],
  seed = 1,
}: StatisticsRequest) {
  for (const [n, { successes, total }] of proportions.entries())
    checkAtMost(successes, total, `/proportions/${n}/successes`)
  for (const [n, { cases }] of clustered.entries()) countScoredSamples(cases, `/clustered/${n}/cases`)
  for (const [n, { cases }] of models.entries()) countScoredSamples(cases, `/models/${n}/cases`)
  const cases = atK?.cases ?? []
  countScoredSamples(cases, '/passAtK/cases')
  const compared = models.map(groupByCase)
  return {
    proportions: proportions.map(({ name, successes, total }) => ({
      ...withName(name),
      rate: total === 0 ? null : roundNumber(successes / total),
      interval: computeWilson(successes, total),
    })),
    clustered: clustered.map(({ name, cases }, n) => {
      const [passed, samples] = cases.reduce(([p, s], one) => [p + one.passed, s + one.samples], [0, 0])
      const interval = computeClusteredInterval(cases, createRng(`clustered/${seed}/${n}`))
      return { ...withName(name), rate: roundNumber(passed / samples), interval }
    }),
    passAtK: (atK?.k ?? []).map((k) => averageOverCases(cases, k, estimatePassAtK)),
    passAllK: (atK?.k ?? []).map((k) => averageOverCases(cases, k, estimatePassAllOfK)),
    ...(compared.length > 0 && { comparison: compareModels(compared, { seed }) }),
    explanations: { ...explanations },
  }
}

const groupByCase = ({ name, cases }: { name: string; cases: GroupCount[] }, n: number) => {
  const map = new Map(cases.map(({ case: id, ...count }) => [id, count]))
  if (map.size < cases.length)
    throw new ProblemError(
      'unprocessable',
      `${name} names a case twice; add up its samples`,
      `/models/${n}/cases`,
    )
  return { name, cases: map }
}
const withName = (name: string | undefined) => (name === undefined ? {} : { name })

function countScoredSamples(cases: readonly { samples: number; passed: number }[], field: string) {
  for (const [n, { passed, samples }] of cases.entries()) checkAtMost(passed, samples, `${field}/${n}/passed`)
}
function checkAtMost(part: number, whole: number, field: string) {
  if (part > whole) throw new ProblemError('unprocessable', `${part} is greater than ${whole}`, field)
}
