/** The paper's figures over one evaluation, side by side for both policies, and where the policies part. */
import type {
  ComparisonResource,
  Disagreement,
  Measures,
  ReportResult,
  ScoredSample,
} from '@stateeval/contracts'
import {
  formatDisagreements,
  formatDisagreementsTitle,
  measureText,
  formatShare,
  formatPlural,
  type SampleColumn,
  type PresentationSection,
  splitWords,
} from '@stateeval/program/presentation'

const maxShown = 10

function formatMeasureCell(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (name.endsWith('rate') || name.endsWith('accuracy') || name.endsWith('judged samples'))
    return formatShare(value)
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}

/** Measures whose name does not say enough. */
const labels: Readonly<Record<string, string>> = {
  'Success rate': 'Success rate (published: of all 1,000 samples)',
}
const overallRows = [
  'Samples',
  'Samples with a marked golden call',
  'Judged',
  'Diverged',
  'Success rate',
  'Success rate of judged samples',
  'Call accuracy',
  'Goal accuracy',
  'Completeness',
  'Correctness',
  'Judged texts',
  'Mean steps',
  'Mean shortest steps',
  'Runs that ended with a text',
  'Mean extra steps',
  'Errors told',
  'Self-correction rate',
  'Mappings by embeddings',
  'Mappings that differ under the lexical default',
  'Mappings that the embeddings model did not give',
  'Matched by response',
  'Matched by judge',
  'Calls without matching by response',
  'Calls without a recorded response',
  'Calls without a judge',
  'Calls not judged',
  'Scores of texts not judged',
]
const domainRows = [
  'Samples',
  'Success rate of judged samples',
  'Call accuracy',
  'Goal accuracy',
  'Completeness',
  'Correctness',
]

/** Each golden parameter once, and each comparison. */
const parameterRows = [
  'Compared',
  'Wrong',
  'Error rate',
  'Comparisons',
  'Wrong comparisons',
  'Comparison error rate',
]

export function buildReportSections(result: ReportResult): PresentationSection[] {
  const { measures = [], disagreements = [] } = result
  const policies = [...new Set(measures.map(({ policy }) => policy))]
  const all = policies.map((policy) => measures.find((one) => one.policy === policy && one.group === 'all'))
  const ownPolicy = String(result.options['policy'] ?? policies[0])
  return [
    {
      title: 'Function calling and answers',
      table: {
        head: ['', ...policies],
        rows: overallRows.map((name) => [
          labels[name] ?? name,
          ...all.map((one) => measureText(one, name, formatMeasureCell)),
        ]),
      },
    },
    ...listPartMeasures('domain', ownPolicy, measures, domainRows),
    ...listPartMeasures('parameter', ownPolicy, measures, parameterRows),
    ...buildStepsSection(result),
    ...buildStagelessSection(all.find((one) => one?.policy === ownPolicy)),
    ...buildSkippedSection(all.find((one) => one?.policy === ownPolicy)),
    ...buildDifferingSection(disagreements),
  ]
}

function listPartMeasures(
  group: string,
  policy: string,
  measures: readonly Measures[],
  rows: readonly string[],
): PresentationSection[] {
  const parts = measures.filter((one) => one.policy === policy && one.group === group)
  if (parts.length === 0) return []
  return [
    {
      title: `By ${group}`,
      table: {
        head: [`by ${group}, ${policy}`, ...rows],
        rows: parts.map((one) => [
          splitWords(one.name),
          ...rows.map((row) => measureText(one, row, formatMeasureCell)),
        ]),
      },
    },
  ]
}

function buildStepsSection({ errors }: ReportResult): PresentationSection[] {
  const list = errors?.['steps'] ?? []
  if (list.length === 0) return []
  return [
    {
      title: 'Steps',
      table: {
        head: ['steps', 'dialogues', 'shortest paths'],
        rows: list.map(({ name, taken, shortest }) => [name, Number(taken), Number(shortest)]),
      },
    },
  ]
}

/** Shows lower bounds of the rates without a stage of matching; empty where none matched anything. */
function buildStagelessSection(all: Measures | undefined): PresentationSection[] {
  const { values = {} } = all ?? {}
  if (!values['Matched by judge'] && !values['Matched by response']) return []
  return [
    {
      title: 'Without stages of matching',
      table: {
        head: ['stages', 'success rate', 'call accuracy'],
        rows: ['', ' without the judge', ' without responses', ' by rule alone'].map((stage) => [
          stage === '' ? 'all stages' : stage.trim(),
          formatShare(values[`Success rate${stage}`] ?? null),
          formatShare(values[`Call accuracy${stage}`] ?? null),
        ]),
      },
    },
  ]
}

/** Ways of matching that had nobody to ask: by measure, what is said of that many calls. */
const skippedWays: readonly (readonly [measure: string, says: string])[] = [
  [
    'Calls without matching by response',
    'not matched by response: no live API is configured; declare the live API booking in STATEEVAL_LIVE_APIS_FILE, or name recorded responses with --responses',
  ],
  [
    'Calls without a recorded response',
    'not matched by response: the recorded responses do not have their requests; declare the live API booking in STATEEVAL_LIVE_APIS_FILE, or name further recordings with --responses',
  ],
  ['Calls without a judge', 'not matched by judge: no judge is configured; name a model with --judge'],
  [
    'Calls not judged',
    'not judged: no judgement could be read from the judge’s answers; name another model with --judge match=NAME',
  ],
]

function buildSkippedSection(all: Measures | undefined): PresentationSection[] {
  const lines = skippedWays.flatMap(([measure, says]) => {
    const count = all?.values[measure] ?? 0
    return count === 0 ? [] : [`  ${formatPlural(count, 'call was', 'calls were')} ${says}`]
  })
  const texts = all?.values['Scores of texts not judged'] ?? 0
  if (texts > 0)
    lines.push(
      `  ${formatPlural(texts, 'score', 'scores')} of final texts could not be had from the judge; the means leave them out`,
    )
  return lines.length === 0 ? [] : [{ lines: ['Skipped ways of matching:', ...lines] }]
}

function buildDifferingSection(disagreements: readonly Disagreement[]): PresentationSection[] {
  if (disagreements.length === 0) return []
  return [
    {
      lines: [formatDisagreementsTitle(disagreements), ...formatDisagreements(disagreements)],
      max: 3 * maxShown,
    },
  ]
}

/** The five types of errors, as parts of all failures. */
export function buildFailureSections({ errors }: ReportResult): PresentationSection[] {
  const list = errors?.['errorTypes'] ?? []
  const parts = Object.keys(list[0] ?? {}).filter((key) => key !== 'name')
  const rows = list
    .map(({ name, ...counts }) => ({ name, counts: parts.map((part) => Number(counts[part] ?? 0)) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
  if (rows.length === 0) return []
  return [
    { title: 'Error types', parts: { label: 'error types', names: 'domain', sum: 'errors', parts, rows } },
  ]
}

/** The error types of each model, over all domains. */
export function compareErrorTypes({
  comparison: { models },
  errors,
}: ComparisonResource): PresentationSection[] {
  const parts = Object.keys(errors[0]?.[0] ?? {}).filter((key) => key !== 'name')
  if (parts.length === 0) return []
  const rows = errors.flatMap((domains, at) =>
    domains
      .filter(({ name }) => name === 'all')
      .map((counts) => [models[at]?.name ?? '–', ...parts.map((part) => Number(counts[part] ?? 0))]),
  )
  return [{ title: 'Error types', table: { head: ['model', ...parts.map(splitWords)], rows } }]
}

const metric =
  (name: string) =>
  ({ score }: ScoredSample) =>
    score?.metrics[name] ?? undefined

export function sampleColumns(): SampleColumn[] {
  return [
    'correct_calls',
    'total_calls',
    'steps',
    'shortest_steps',
    'completeness',
    'correctness',
    'errors_told',
    'errors_corrected',
  ].map((name) => ({ name, of: metric(name) }))
}
