import { setImmediate } from 'node:timers/promises'
import { ProblemError } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import {
  clusteredInterval,
  explanations,
  isShortComparison,
  overCases,
  passAllOfK,
  passAtK,
  rounded,
  wilson,
} from '@stateeval/score'
import { compare, type Compared, type CompareTask } from '../compare-thread.ts'
import type { Route } from '../context.ts'

export const computeStatistics: Route<'computeStatistics'> = async (
  { body: { proportions = [], clustered = [], passAtK: atK, models = [], seed = 1 } },
  { compareThreads },
) => {
  for (const [n, { successes, total }] of proportions.entries())
    atMost(successes, total, `/proportions/${n}/successes`)
  for (const [n, { cases }] of clustered.entries()) counted(cases, `/clustered/${n}/cases`)
  for (const [n, { cases }] of models.entries()) counted(cases, `/models/${n}/cases`)
  const cases = atK?.cases ?? []
  counted(cases, '/passAtK/cases')
  const rates = []
  for (const [n, { name, cases }] of clustered.entries()) {
    // Others get their turn between two bootstraps.
    await setImmediate()
    const [passed, samples] = cases.reduce(([p, s], one) => [p + one.passed, s + one.samples], [0, 0])
    const interval = clusteredInterval(cases, createRng(`clustered/${seed}/${n}`))
    rates.push({ ...withName(name), rate: rounded(passed / samples), interval })
  }
  const task: CompareTask = { models: models.map(byCase), seed }
  const isShort = isShortComparison(models.length, Math.max(0, ...models.map((one) => one.cases.length)))
  const comparison =
    models.length === 0
      ? undefined
      : isShort
        ? compare(task)
        : await compareThreads.run<Compared>('compare', task)
  const body = {
    proportions: proportions.map(({ name, successes, total }) => ({
      ...withName(name),
      rate: total === 0 ? null : rounded(successes / total),
      interval: wilson(successes, total),
    })),
    clustered: rates,
    passAtK: (atK?.k ?? []).map((k) => overCases(cases, k, passAtK)),
    passAllK: (atK?.k ?? []).map((k) => overCases(cases, k, passAllOfK)),
    ...(comparison && { comparison }),
    explanations: { ...explanations },
  }
  return { status: 200, body }
}

interface Count {
  case: string
  samples: number
  passed: number
}
const byCase = ({ name, cases }: { name: string; cases: Count[] }, n: number) => {
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

function counted(cases: readonly { samples: number; passed: number }[], field: string) {
  for (const [n, { passed, samples }] of cases.entries()) atMost(passed, samples, `${field}/${n}/passed`)
}
function atMost(part: number, whole: number, field: string) {
  if (part > whole) throw new ProblemError('unprocessable', `${part} is greater than ${whole}`, field)
}
