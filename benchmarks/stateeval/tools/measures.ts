/** Measures of dialogues besides who passed: how far they came, and what they took. */
import type { Measures, ScoredSample } from '@stateeval/contracts'
import type { MeasureDirections } from '@stateeval/program'
import { roundNumber } from '@stateeval/score'

/** Which way each is better, by the beginning of its name. */
export const toolMeasures: MeasureDirections = {
  Samples: 'neither',
  'State changes made': 'higher',
  'Unexpected changes': 'lower',
  'RESULT keys right': 'higher',
  'Milestones reached': 'higher',
  'Mean replies': 'neither',
  'Mean calls': 'neither',
  'Mean wrong calls': 'lower',
  'With a wrong call': 'lower',
  'Passed after a wrong call': 'higher',
}

interface MeasuredPart {
  group: string
  name: string
  samples: readonly ScoredSample[]
}

export const computeModeMeasures = (parts: readonly MeasuredPart[]): Measures[] =>
  parts.map(({ group, name, samples }) => ({
    policy: 'sound',
    group,
    name,
    values: computeModeValues(samples),
  }))

function computeModeValues(samples: readonly ScoredSample[]): Measures['values'] {
  const mean = (metric: string) => {
    const values = samples.flatMap(({ score }) => score?.metrics[metric] ?? [])
    return values.length === 0 ? null : roundNumber(values.reduce((sum, one) => sum + one, 0) / values.length)
  }
  const wrong = ({ score }: ScoredSample) => (score?.metrics['wrong_calls'] ?? 0) > 0
  return {
    Samples: samples.length,
    'State changes made': mean('state_changes'),
    'Unexpected changes': mean('unexpected_changes'),
    'RESULT keys right': mean('result_keys'),
    'Milestones reached': mean('milestones'),
    'Mean replies': mean('replies'),
    'Mean calls': mean('calls'),
    'Mean wrong calls': mean('wrong_calls'),
    'With a wrong call': samples.filter(wrong).length,
    'Passed after a wrong call': samples.filter((one) => wrong(one) && one.score?.passed).length,
  }
}
