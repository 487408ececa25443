/**
 * Measures of the judgement by state: beside that by golden calls, under the same names where they
 * mean the same.
 */
import type { Measures, ScoredSample } from '@stateeval/contracts'
import { roundNumber } from '@stateeval/score'
import { statePolicy } from './policy.ts'

/** Answers and bookings that were left, of those that were asked for. */
const goalAccuracy = 'Goal accuracy'

/** Empty where no case has a live world. @param parts of the set: a group, a name and the samples of each */
export function computeStateMeasures(
  parts: readonly { group: string; name: string; samples: readonly ScoredSample[] }[],
): Measures[] {
  return parts.flatMap(({ group, name, samples }) => {
    const judged = samples.flatMap(({ score }) => score?.policies?.[statePolicy] ?? [])
    return judged.length === 0
      ? []
      : [{ policy: statePolicy, group, name, values: computeStateValues(judged) }]
  })
}

type JudgedPolicy = Pick<
  NonNullable<NonNullable<ScoredSample['score']>['policies']>[string],
  'verdict' | 'metrics'
>

function computeStateValues(judged: readonly JudgedPolicy[]): Measures['values'] {
  const sum = (metric: string) => judged.reduce((total, { metrics }) => total + (metrics[metric] ?? 0), 0)
  const share = (part: number, whole: number) => (whole === 0 ? null : roundNumber(part / whole))
  const successes = judged.filter(({ verdict }) => verdict === 'success').length
  return {
    Samples: judged.length,
    Judged: judged.length,
    Diverged: 0,
    Successes: successes,
    'Success rate': share(successes, judged.length),
    'Success rate of judged samples': share(successes, judged.length),
    [goalAccuracy]: share(sum('reached'), sum('wanted')),
  }
}
