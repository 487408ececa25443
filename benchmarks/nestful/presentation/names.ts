/**
 * Names of the report's parts. They stand here, as what commands show imports nothing that prompts or scores.
 */

/** In the order in which they are shown. */
export const measureNames = [
  'Partial sequence match',
  'Full sequence match',
  'API execution pass rate, mock (%)',
  'API execution pass rate, live (%)',
  'Win rate',
  'F1 function',
  'F1 parameter',
  'Partial match without order',
  'Full match without order',
  'Parsing errors',
  'Ceiling',
  'Unanswerable',
  'Runnable',
  'Not run',
  'Samples',
] as const

export const errorTypes = [
  'wrong_api',
  'order',
  'missing_or_extra_call',
  'wrong_argument',
  'missing_required_parameter',
  'wrong_data_type',
  'invented_value',
  'missed_implicit_call',
  'confused_parallel_calls',
  'wrong_reference',
  'wrong_label',
  'hallucinated_api',
  'prose_instead_of_calls',
] as const

const counts: readonly string[] = ['Parsing errors', 'Unanswerable', 'Runnable', 'Not run', 'Samples']

export const formatNestfulMeasure = (name: string, value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : counts.includes(name) ? String(value) : value.toFixed(2)
