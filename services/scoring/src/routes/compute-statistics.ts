import { ProblemError } from '@stateeval/contracts'
import { passAtK, rounded, wilson } from '@stateeval/score'
import type { Route } from '../context.ts'

export const computeStatistics: Route<'computeStatistics'> = async ({ body: { proportions = [], passAtK: wanted } }) => {
  for (const [n, { successes, total }] of proportions.entries()) atMost(successes, total, `/proportions/${n}/successes`)
  const cases = wanted?.cases ?? []
  for (const [n, { passed, samples }] of cases.entries()) atMost(passed, samples, `/passAtK/cases/${n}/passed`)
  const body = {
    proportions: proportions.map(({ name, successes, total }) => ({
      ...(name === undefined ? {} : { name }),
      rate: total === 0 ? null : rounded(successes / total),
      interval: wilson(successes, total),
    })),
    passAtK: (wanted?.k ?? []).map((k) => {
      const estimates = cases.flatMap(({ samples, passed }) => passAtK(samples, passed, k) ?? [])
      const mean = estimates.reduce((sum, estimate) => sum + estimate, 0) / estimates.length
      return { k, estimate: estimates.length ? rounded(mean) : null, cases: estimates.length }
    }),
  }
  return { status: 200, body }
}

function atMost(part: number, whole: number, field: string) {
  if (part > whole) throw new ProblemError('unprocessable', `${part} is more than the whole, ${whole}`, field)
}
