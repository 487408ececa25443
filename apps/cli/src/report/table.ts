/** A report as tables for a terminal, in sections separated by blank lines. */
import { endingText, formatCanaries } from '@stateeval/program/format'
import type {
  AnswerEnding,
  CanaryCounts,
  MutationReport,
  Rate,
  ReportResult,
  ReportRun,
} from '@stateeval/contracts'
import type { Presentation } from '@stateeval/program/presentation'
import { type Colors, table } from '../terminal.ts'
import { sampleTables } from './samples.ts'
import { sectionText } from './sections.ts'
import { inCommands } from '../suite/in-commands.ts'
import { count, explanationsOf, interval, partialText, plural, rateText, words } from './format.ts'
import { probeNote } from './probe.ts'
import { timeLimitNote } from './time-limit.ts'

const rateRow = (name: string, rate: Rate) => [name, count(rate), rateText(rate), interval(rate.interval)]

function groups(result: ReportResult, pc: Colors): string {
  const rows = Object.entries(result.groups)
    .filter(([, members]) => members.length > 0)
    .flatMap(([group, members]) =>
      members.map(({ name, scenario, rate }) =>
        rateRow(`${words(group)}: ${scenario ? `${scenario} ` : ''}${name}`, rate),
      ),
    )
  const rates = table(
    ['pass@1', 'passed', 'rate', '95 % interval'],
    [rateRow(pc.bold('all'), result.overall), ...rows],
  )
  return [rates, ...explanationsOf(result).map((text) => pc.dim(text))].join('\n')
}

const scoreOf = ({ score, bracket }: Pick<MutationReport, 'score' | 'bracket'>) => ({
  rate: score,
  ...(bracket && { bracket }),
})
function mutation(report: MutationReport, pc: Colors): string[] {
  const rows = report.operators.map((o) => [
    words(o.operator),
    o.byException,
    o.byComparison,
    o.survived,
    o.equivalent,
    rateText(scoreOf(o)),
    interval(o.interval),
  ])
  const all = [
    pc.bold('all'),
    report.byException,
    report.byComparison,
    report.survived,
    report.equivalent,
    rateText(scoreOf(report)),
    interval(report.interval),
  ]
  const score = `Mutation score: ${pc.bold(rateText(scoreOf(report)))} ${pc.dim(`(95 % interval ${interval(report.interval)})`)} of the mutants that are not equivalent to their reference were caught.`
  const out = [
    `${score}\n${table(['operator', 'by exception', 'by comparison', 'survived', 'equivalent', 'score', '95 % interval'], [all, ...rows])}`,
  ]
  if (report.disputed > 0)
    out.push(
      pc.red(
        `${plural(report.disputed, 'mutant')} failed although an independent comparison sees no difference: please report this as a bug.`,
      ),
    )
  if (report.survivors.length > 0)
    out.push(
      [
        'Survivors:',
        ...report.survivors.map((s) => `  ${s.case} sample ${s.sample}: ${words(s.operator)} at ${s.site}`),
      ].join('\n'),
    )
  return out
}

function verdictTable({ verdicts }: ReportResult): string[] {
  const rows = Object.entries(verdicts).filter(([, n]) => n > 0)
  if (rows.length === 0) return []
  return [
    table(
      ['verdict', 'samples'],
      rows.map(([verdict, n]) => [words(verdict), n]),
    ),
  ]
}

/** The failed samples with what differed, at most `limit` of them. */
function failures(result: ReportResult, limit: number): string[] {
  if (result.mutation) return []
  const failed = result.samples.filter((sample) => sample.score && !sample.score.passed)
  const lines = failed.slice(0, limit).flatMap(({ case: id, sample, score }) => {
    const { error, differences } = score!.evidence
    const why = error
      ? [`${error.name}: ${error.message}${error.line === undefined ? '' : ` (line ${error.line})`}`]
      : differences.slice(0, 3).map((d) => d.says)
    return [`  ${id} sample ${sample}: ${words(score!.verdict)}`, ...why.map((line) => `    ${line}`)]
  })
  if (failed.length > limit) lines.push(`  … and ${failed.length - limit} more; --format json has them all`)
  return lines.length === 0 ? [] : [['Failures:', ...lines].join('\n')]
}

/** The samples without a score: how many, and the usual reasons. */
function unscored({ samples, notScored }: ReportResult, pc: Colors): string[] {
  if (notScored === 0) return []
  const counts = new Map<string, number>()
  for (const { score, notScored: reason } of samples)
    if (!score) counts.set(reason ?? 'not scored', (counts.get(reason ?? 'not scored') ?? 0) + 1)
  const reasons = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, n]) => `  ${n} × ${inCommands(reason)}`)
  const lines = [
    ...reasons.slice(0, 3),
    ...(reasons.length > 3 ? [`  … and ${reasons.length - 3} other reasons`] : []),
  ]
  const head = `${plural(notScored, 'sample was', 'samples were')} not scored, and ${notScored === 1 ? 'counts' : 'count'} in no rate, only in the brackets:`
  return [pc.yellow([head, ...lines].join('\n'))]
}

const cutShort = (cut: number, pc: Colors) =>
  cut === 0
    ? []
    : [
        pc.yellow(
          `${plural(cut, 'answer was', 'answers were')} cut short at a limit of tokens or length. Raise max_tokens among the model's parameters.`,
        ),
      ]

const canaryNote = (canaries: CanaryCounts | undefined, pc: Colors) =>
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
const partly = ({ partial }: ReportResult, pc: Colors) =>
  partial === undefined
    ? []
    : [pc.yellow(`Partial: ${partialText(partial)}. Every figure covers only these.`)]

function outOfTime({ overall, verdicts, options }: ReportResult, pc: Colors): string[] {
  const limit = options['timeLimit']
  const note = timeLimitNote(
    { scored: overall.scored, timeouts: verdicts['timeout'] ?? 0 },
    typeof limit === 'number' ? limit : undefined,
  )
  return note === null ? [] : [pc.yellow(note)]
}

/** Answers that were cut short have a line already. */
const unusualEndings = (endings: readonly AnswerEnding[], pc: Colors) =>
  endings.filter(({ mark }) => mark !== 'length').map((ending) => pc.yellow(endingText(ending)))

/** Fields of a run that the table shows. */
type ShownRun = Partial<Pick<ReportRun, 'cut' | 'parties' | 'canaries' | 'probe' | 'endings'>>

function probed(model: string, probe: ReportRun['probe'], pc: Colors): string[] {
  const note = probeNote(model, probe)
  return note === null ? [] : [pc.yellow(note)]
}

/** Live APIs whose recorded responses stood for them. */
function recordedApis(parties: ReportRun['parties'] = {}): string[] {
  const lines = Object.values(parties).flatMap(({ model, responses }) =>
    responses ? [`  ${model}: from ${responses.join(', ')}`] : [],
  )
  return lines.length === 0 ? [] : [['Live APIs answered by recorded responses:', ...lines].join('\n')]
}

/**
 * `presentation`: of the benchmark's kind, which adds sections. Returns text without a final line break.
 */
export function reportTable(
  result: ReportResult,
  pc: Colors,
  { cut = 0, parties, canaries, probe, endings = [] }: ShownRun,
  presentation: Pick<Presentation, 'sections' | 'failureSections'> = {},
): string {
  const head = `${pc.bold(result.model)} on benchmark ${result.digest.slice(0, 12)}`
  return [
    [head, ...partly(result, pc), groups(result, pc)].join('\n'),
    ...(presentation.sections?.(result) ?? []).map(sectionText),
    ...recordedApis(parties),
    ...sampleTables(result),
    ...verdictTable(result),
    ...(presentation.failureSections?.(result) ?? []).map(sectionText),
    ...unscored(result, pc),
    ...outOfTime(result, pc),
    ...probed(result.model, probe, pc),
    ...cutShort(cut, pc),
    ...unusualEndings(endings, pc),
    ...canaryNote(canaries, pc),
    ...(result.mutation ? mutation(result.mutation, pc) : []),
    ...failures(result, 10),
  ].join('\n\n')
}
