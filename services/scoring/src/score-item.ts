/** One score, whatever form its request has. */
import { ProblemError, type Score, type ScoreItem } from '@stateeval/contracts'
import { scoreOutcomes } from '@stateeval/score'
import type { Context } from './context.ts'

/** Loads first what the case needs besides itself. */
export async function scoreItem(item: ScoreItem, context: Pick<Context, 'benchmark' | 'scenario' | 'shelf'>): Promise<Score> {
  if ('benchmark' in item && 'artifacts' in item.case) await context.shelf.load(item.case.artifacts ?? [])
  return scored(item, context)
}

function scored(item: ScoreItem, context: Pick<Context, 'benchmark' | 'scenario'>): Score {
  if ('benchmark' in item) {
    const benchmark = context.benchmark(item.benchmark)
    const { policy, candidate } = item
    if (policy !== undefined && !benchmark.policies.includes(policy)) {
      throw new ProblemError(
        'unprocessable',
        `${item.benchmark} has no policy ${policy}; there are: ${benchmark.policies.join(', ')}`,
        '/policy',
      )
    }
    if ('scenario' in item.case) context.scenario(item.case.scenario)
    return benchmark.score({ case: item.case, candidate, ...(policy === undefined ? {} : { policy }) })
  }
  const { scenario, expected, observed } = item
  if (expected.length !== observed.length) {
    throw new ProblemError(
      'unprocessable',
      `there are ${expected.length} expectations and ${observed.length} observations; send one for each input`,
      '/observed',
    )
  }
  return scoreOutcomes(expected, observed, context.scenario(scenario).compare)
}
