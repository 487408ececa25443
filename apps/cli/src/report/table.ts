/** A report as tables for a terminal, in sections separated by blank lines. */
import { describeEnding, describeMissingAnswers, formatCanaries } from '@stateeval/program/format'
import type {
  AnswerEnding,
  CanaryCounts,
  MutationReport,
  Rate,
  ReportResult,
  ReportRun,
} from '@stateeval/contracts'
import type { ReportPresentation } from '@stateeval/program/presentation'
import { type TerminalColors, formatTable } from '../terminal.ts'
import { sampleTables } from './samples.ts'
import { formatSection } from './sections.ts'
import { replaceRequests } from '../suite/in-commands.ts'
import {
  count,
  listExplanations,
  formatInterval,
  describePartial,
  formatPlural,
  formatRate,
  splitWords,
} from './format.ts'
import { probeNote } from './probe.ts'
import { describeTimeLimit } from './time-limit.ts'

const buildRateRow = (name: string, rate: Rate) => [
  name,
  count(rate),
  formatRate(rate),
  formatInterval(rate.interval),
]

function formatGroups(result: ReportResult, pc: TerminalColors): string {
  const rows = Object.entries(result.groups)
    .filter(([, members]) => members.length > 0)
    .flatMap(([group, members]) =>
      members.map(({ name, scenario, rate }) =>
        buildRateRow(`${splitWords(group)}: ${scenario ? `${scenario} ` : ''}${name}`, rate),
      ),
    )
  const rates = formatTable(
    ['pass@1', 'passed', 'rate', '95 % interval'],
    [buildRateRow(pc.bold('all'), result.overall), ...rows],
  )
  return [rates, ...listExplanations(result).map((text) => pc.dim(text))].join('\n')
}

const selectScoreBracket = ({ score, bracket }: Pick<MutationReport, 'score' | 'bracket'>) => ({
  rate: score,
  ...(bracket && { bracket }),
})
function formatMutation(report: MutationReport, pc: TerminalColors): string[] {
  const rows = report.operators.map((o) => [
    splitWords(o.operator),
    o.byException,
    o.byComparison,
    o.survived,
    o.equivalent,
    formatRate(selectScoreBracket(o)),
    formatInterval(o.interval),
  ])
  const all = [
    pc.bold('all'),
    report.byException,
    report.byComparison,
    report.survived,
    report.equivalent,
    formatRate(selectScoreBracket(report)),
    formatInterval(report.interval),
  ]
  const score = `Mutation score: ${pc.bold(formatRate(selectScoreBracket(report)))} ${pc.dim(`(95 % interval ${formatInterval(report.interval)})`)} of the mutants that are not equivalent to their reference were caught.`
  const out = [
    `${score}\n${formatTable(['operator', 'by exception', 'by comparison', 'survived', 'equivalent', 'score', '95 % interval'], [all, ...rows])}`,
  ]
  if (report.disputed > 0)
    out.push(
      pc.red(
        `${formatPlural(report.disputed, 'mutant')} failed although an independent comparison sees no difference: please report this as a bug.`,
      ),
    )
  if (report.survivors.length > 0)
    out.push(
      [
        'Survivors:',
        ...report.survivors.map(
          (s) => `  ${s.case} sample ${s.sample}: ${splitWords(s.operator)} at ${s.site}`,
        ),
      ].join('\n'),
    )
  return out
}

function formatVerdicts({ verdicts }: ReportResult): string[] {
  const rows = Object.entries(verdicts).filter(([, n]) => n > 0)
  if (rows.length === 0) return []
  return [
    formatTable(
      ['verdict', 'samples'],
      rows.map(([verdict, n]) => [splitWords(verdict), n]),
    ),
  ]
}

/** The failed samples with what differed, at most `limit` of them. */
function formatFailures(result: ReportResult, limit: number): string[] {
  if (result.mutation) return []
  const failed = result.samples.filter((sample) => sample.score && !sample.score.passed)
  const lines = failed.slice(0, limit).flatMap(({ case: id, sample, score }) => {
    const { error, differences } = score!.evidence
    const why = error
      ? [`${error.name}: ${error.message}${error.line === undefined ? '' : ` (line ${error.line})`}`]
      : differences.slice(0, 3).map((d) => d.says)
    return [`  ${id} sample ${sample}: ${splitWords(score!.verdict)}`, ...why.map((line) => `    ${line}`)]
  })
  if (failed.length > limit) lines.push(`  … and ${failed.length - limit} more; --format json has them all`)
  return lines.length === 0 ? [] : [['Failures:', ...lines].join('\n')]
}

/** The samples without a score: how many, and the usual reasons. */
function formatUnscored({ samples, notScored }: ReportResult, pc: TerminalColors): string[] {
  if (notScored === 0) return []
  // Reasons of one kind differ in numbers, such as the tokens of a prompt; the first one is shown.
  const counts = new Map<string, { shown: string; n: number }>()
  for (const { score, reason, notScored = 'not scored' } of samples) {
    if (score) continue
    const says = reason === undefined ? notScored : `${splitWords(reason)}: ${notScored}`
    const kind = says.replace(/\d+/g, '#')
    const { shown, n } = counts.get(kind) ?? { shown: says, n: 0 }
    counts.set(kind, { shown, n: n + 1 })
  }
  const reasons = [...counts.values()]
    .sort((a, b) => b.n - a.n)
    .map(({ shown, n }) => `  ${n} × ${replaceRequests(shown)}`)
  const lines = [
    ...reasons.slice(0, 3),
    ...(reasons.length > 3 ? [`  … and ${reasons.length - 3} other reasons`] : []),
  ]
  const head = `${formatPlural(notScored, 'sample was', 'samples were')} not scored, and ${notScored === 1 ? 'counts' : 'count'} in no rate, only in the brackets:`
  return [pc.yellow([head, ...lines].join('\n'))]
}

const formatCutShort = (cut: number, pc: TerminalColors) =>
  cut === 0
    ? []
    : [
        pc.yellow(
          `${formatPlural(cut, 'answer was', 'answers were')} cut short at a limit of tokens or length. Raise max_tokens among the model's parameters.`,
        ),
      ]

const formatCanaryNote = (canaries: CanaryCounts | undefined, pc: TerminalColors) =>
  canaries === undefined
    ? []
    : canaries.touched === 0
      ? [`Canaries: ${formatCanaries(canaries)}.`]
      : [
          pc.yellow(
            `Canaries: ${formatCanaries(canaries)}. The other executions were repeated in separate jails.`,
          ),
        ]

/** Describes the extent of a partial report. */
const formatPartialNote = ({ partial }: ReportResult, pc: TerminalColors) =>
  partial === undefined
    ? []
    : [pc.yellow(`Partial: ${describePartial(partial)}. Every figure covers only these.`)]

function formatTimeouts({ overall, verdicts, options }: ReportResult, pc: TerminalColors): string[] {
  const limit = options['timeLimit']
  const note = describeTimeLimit(
    { scored: overall.scored, timeouts: verdicts['timeout'] ?? 0 },
    typeof limit === 'number' ? limit : undefined,
  )
  return note === null ? [] : [pc.yellow(note)]
}

/** Describes unusual endings, except answers that were cut short, which have a line already. */
const formatUnusualEndings = (endings: readonly AnswerEnding[], pc: TerminalColors) =>
  endings.filter(({ mark }) => mark !== 'length').map((ending) => pc.yellow(describeEnding(ending)))

/** Fields of a run that the table shows. */
type ShownRun = Partial<
  Pick<ReportRun, 'missingAnswers' | 'cut' | 'parties' | 'canaries' | 'probe' | 'endings'>
>

function formatProbeNote(model: string, probe: ReportRun['probe'], pc: TerminalColors): string[] {
  const note = probeNote(model, probe)
  return note === null ? [] : [pc.yellow(note)]
}

/** Live APIs whose recorded responses stood for them. */
function listRecordedApis(parties: ReportRun['parties'] = {}): string[] {
  const lines = Object.values(parties).flatMap(({ model, responses }) =>
    responses ? [`  ${model}: from ${responses.join(', ')}`] : [],
  )
  return lines.length === 0 ? [] : [['Live APIs answered by recorded responses:', ...lines].join('\n')]
}

/**
 * `presentation`: of the benchmark's kind, which adds sections. Returns text without a final line break.
 */
export function formatReport(
  result: ReportResult,
  pc: TerminalColors,
  { missingAnswers, cut = 0, parties, canaries, probe, endings = [] }: ShownRun,
  presentation: Pick<ReportPresentation, 'sections' | 'failureSections'> = {},
): string {
  const head = `${pc.bold(result.model)} on benchmark ${result.digest.slice(0, 12)}`
  return [
    [head, ...formatPartialNote(result, pc), formatGroups(result, pc)].join('\n'),
    ...(presentation.sections?.(result) ?? []).map(formatSection),
    ...listRecordedApis(parties),
    ...sampleTables(result),
    ...formatVerdicts(result),
    ...(presentation.failureSections?.(result) ?? []).map(formatSection),
    ...(missingAnswers ? [pc.yellow(describeMissingAnswers(missingAnswers))] : []),
    ...formatUnscored(result, pc),
    ...formatTimeouts(result, pc),
    ...formatProbeNote(result.model, probe, pc),
    ...formatCutShort(cut, pc),
    ...formatUnusualEndings(endings, pc),
    ...formatCanaryNote(canaries, pc),
    ...(result.mutation ? formatMutation(result.mutation, pc) : []),
    ...formatFailures(result, 10),
  ].join('\n\n')
}
