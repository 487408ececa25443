/** The verdict on a sample and its counts: by location and, under `all`, their sum (README, Measures). */
import { roundNumber } from '@stateeval/score'
import { isCounted } from './documented.ts'
import type { EndpointVerdict, ErrorVerdict, RequestJudgement } from './types.ts'
import { locations } from '../specification/types.ts'

type ArgumentCounter =
  | 'all'
  | 'expected'
  | 'unexpected'
  | 'correct_name'
  | 'correct_value'
  | 'missing'
  | 'unnecessary'
  | 'illegal'
export const places = ['all', ...locations] as const
export type ArgumentLocation = (typeof places)[number]

/**
 * Verdicts of a sample, in the order in which reports show them. `vanished` has no result under the published
 * policy.
 */
export const sampleVerdicts = [
  'correct',
  'wrong',
  'illegal',
  'no_request',
  'incomplete_request',
  'runtime_error',
  'timeout',
  'unsatisfiable',
  'vanished',
] as const
export type SampleVerdict = (typeof sampleVerdicts)[number] | 'infrastructure_error'

const errors: Record<ErrorVerdict, SampleVerdict> = {
  TIMEOUT: 'timeout',
  UNSATISFIABLE_CONSTRAINTS: 'unsatisfiable',
  ABSENT_REQUEST: 'no_request',
  INCOMPLETE_REQUEST: 'incomplete_request',
  EXECUTION_ERROR: 'runtime_error',
}
const errorVerdicts = new Set<SampleVerdict>(Object.values(errors))
/** No request of it could be judged. */
export const isNonexecutable = (verdict: string) => errorVerdicts.has(verdict as SampleVerdict)

/**
 * Counts that are 0 are left out: a location without a count has no entry. Keys are `counter/place`, `url/…`,
 * `method/…`.
 */
type ArgumentCounts = Record<string, number>

export function count(judgement: RequestJudgement): { verdict: SampleVerdict; counts: ArgumentCounts } {
  const counts: ArgumentCounts = {}
  const add = (counter: ArgumentCounter, place: ArgumentLocation, n = 1) => {
    counts[`${counter}/${place}`] = (counts[`${counter}/${place}`] ?? 0) + n
    counts[`${counter}/all`] = (counts[`${counter}/all`] ?? 0) + n
  }
  if ('error' in judgement) {
    for (const [place, n] of Object.entries(judgement.expected))
      for (const counter of ['all', 'expected', 'missing'] as const)
        add(counter, place as ArgumentLocation, n)
    return { verdict: errors[judgement.error], counts }
  }
  for (const { location, name, verdict } of judgement.arguments) {
    if (!isCounted(location, name)) continue
    add('all', location)
    add(verdict === 'UNNECESSARY_KEY' || verdict === 'ILLEGAL_KEY' ? 'unexpected' : 'expected', location)
    if (verdict === 'CORRECT' || verdict === 'INCORRECT_VALUE') add('correct_name', location)
    if (verdict === 'CORRECT') add('correct_value', location)
    if (verdict === 'MISSING_KEY') add('missing', location)
    if (verdict === 'UNNECESSARY_KEY') add('unnecessary', location)
    if (verdict === 'ILLEGAL_KEY') add('illegal', location)
  }
  const both = [judgement.url, judgement.method]
  const endpoint = both.includes('NONEXISTENT_ENDPOINT')
    ? 'NONEXISTENT_ENDPOINT'
    : both.every((one) => one === 'CORRECT')
      ? 'CORRECT'
      : 'WRONG_ENDPOINT'
  counts[`url/${word[judgement.url]}`] = 1
  counts[`method/${word[judgement.method]}`] = 1
  counts[`endpoint/${word[endpoint]}`] = 1
  const all = (counter: ArgumentCounter) => counts[`${counter}/all`] ?? 0
  const verdict =
    endpoint === 'CORRECT' && all('correct_value') === all('all')
      ? 'correct'
      : endpoint === 'NONEXISTENT_ENDPOINT' || all('illegal') > 0
        ? 'illegal'
        : 'wrong'
  return { verdict, counts }
}

/**
 * Ratios of one sample, such as `precision/all`; absent where there is nothing to divide by, and for code
 * that doesn't run.
 */
const ratios = {
  precision: ['correct_name', ['correct_name', 'unexpected']],
  recall: ['correct_name', ['expected']],
  jaccard: ['correct_name', ['all']],
  value_accuracy_of_all: ['correct_value', ['all']],
  value_accuracy_of_expected: ['correct_value', ['expected']],
  value_accuracy_of_names: ['correct_value', ['correct_name']],
} as const satisfies Record<string, readonly [ArgumentCounter, readonly ArgumentCounter[]]>

/** The ratios of a sample, by location (README, Measures). */
export function computeRatios({
  verdict,
  counts,
}: {
  verdict: SampleVerdict
  counts: ArgumentCounts
}): ArgumentCounts {
  if (isNonexecutable(verdict)) return {}
  const values: ArgumentCounts = {}
  for (const place of places) {
    if (!counts[`all/${place}`]) continue
    for (const [name, [over, below]] of Object.entries(ratios)) {
      const total = below.reduce((sum, counter) => sum + (counts[`${counter}/${place}`] ?? 0), 0)
      if (total > 0) values[`${name}/${place}`] = roundNumber((counts[`${over}/${place}`] ?? 0) / total)
    }
  }
  return values
}

const word: Record<EndpointVerdict, 'correct' | 'wrong' | 'illegal'> = {
  CORRECT: 'correct',
  WRONG_ENDPOINT: 'wrong',
  NONEXISTENT_ENDPOINT: 'illegal',
}
