/**
 * An evaluation as a Markdown summary for a pull request: pass rate, baseline, gate, flips, failures, cost.
 * Texts of models and benchmarks are in code spans, where mentions, links and HTML have no effect.
 */
import type { GateFlip, GateVerdict, Report, ScoredSample } from '@stateeval/contracts'
import { replaceFieldNames } from './gate.ts'
import {
  count,
  groupDigits,
  formatPercent,
  formatInterval,
  describePartial,
  formatShare,
  formatPlural,
  formatRate,
  explainSample,
  splitWords,
} from './format.ts'

const [shownFlips, shownFailures, shownCharacters] = [20, 10, 200]

/** Foreign text as a code span for a table cell. */
export function formatCodeSpan(text: string): string {
  const line = text
    .slice(0, shownCharacters + 1)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const short = line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line
  // A backslash before a bar would end the cell.
  const cell = short.replaceAll(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|')
  const longest = Math.max(0, ...[...cell.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = cell === '' || /^`|`$/.test(cell) ? ' ' : ''
  return `${fence}${pad}${cell}${pad}${fence}`
}

/** Our own words, with characters that Markdown reads escaped. */
const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_[\]<>#|~&]/g, '\\$&')

const formatMarkdownTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const formatSignedShare = (share: number) => `${share > 0 ? '+' : ''}${formatPercent(share)}`

function formatRateSummary({ result, run }: Report, gate: GateVerdict | undefined): string {
  const { overall, notScored } = result
  const now = ['this evaluation', formatRate(overall), formatInterval(overall.interval), count(overall)]
  const rows = [[...now, String(notScored), describeCost(run)]]
  const { comparison, baseline } = gate ?? {}
  if (comparison && baseline !== undefined) {
    const { baselineRate, difference, interval: range, cases } = comparison
    const shared = formatPlural(cases, 'shared case')
    rows.push([`baseline ${formatCodeSpan(baseline)}`, formatShare(baselineRate), '', shared, '', ''])
    if (difference !== null)
      rows.push([
        'difference',
        `**${formatSignedShare(difference)} points**`,
        range ? `${formatSignedShare(range[0])} to ${formatSignedShare(range[1])} points` : '',
        shared,
        '',
        '',
      ])
  }
  return formatMarkdownTable(['', 'pass@1', '95 % interval', 'passed', 'not scored', 'cost'], rows)
}

/** Describes the costs of all parts; tokens where no price is known. */
function describeCost({ costUsd, usage, parties = {}, secondOpinion }: Report['run']): string {
  const others = [...Object.values(parties), ...(secondOpinion ? [secondOpinion] : [])]
  const costs = [costUsd, ...others.map((one) => one.costUsd)].filter((one) => one !== null)
  const used = [usage, ...others].reduce((sum, one) => sum + one.promptTokens + one.completionTokens, 0)
  const estimated = [usage, ...others].reduce((sum, one) => sum + (one.estimated ?? 0), 0)
  const tokens = `${groupDigits(used)} tokens${estimated > 0 ? `, estimated for ${formatPlural(estimated, 'reply', 'replies')}` : ''}`
  if (costs.length === 0) return used === 0 ? 'none' : tokens
  const total = costs.reduce((sum, one) => sum + one, 0)
  return `$${total.toFixed(total < 1 ? 4 : 2)} (${tokens})`
}

const formatChecks = ({ checks, notes }: GateVerdict) =>
  [
    ...checks.map(
      ({ passed, says }) =>
        `- ${passed ? 'passed' : '**failed**'}: ${escapeMarkdown(replaceFieldNames(says))}`,
    ),
    ...notes.map((note) => `- note: ${escapeMarkdown(replaceFieldNames(note))}`),
  ].join('\n')

function formatFlips(title: string, list: readonly GateFlip[], total: number): string[] {
  if (total === 0) return []
  const of = ({ passed, samples }: GateFlip['baseline']) =>
    samples === 1 ? (passed === 1 ? 'passed' : 'failed') : `${passed}/${samples}`
  const rows = list
    .slice(0, shownFlips)
    .map((flip) => [formatCodeSpan(flip.case), of(flip.baseline), of(flip.evaluation)])
  return [
    `#### ${title}: ${formatPlural(total, 'case')}`,
    formatMarkdownTable(['case', 'baseline', 'now'], rows),
    ...(total > rows.length ? [`… and ${total - rows.length} more.`] : []),
  ]
}

/** The first failed sample of each case, with its root cause or what differed. */
function formatMarkdownFailures({ samples }: Report['result']): string[] {
  const failed = samples.filter(({ score }) => score && !score.passed)
  const firstOfCases = [...new Map(failed.toReversed().map((one) => [one.case, one])).values()].toReversed()
  if (firstOfCases.length === 0) return []
  const rows = firstOfCases
    .slice(0, shownFailures)
    .map((one) => [
      formatCodeSpan(one.case),
      String(one.sample),
      splitWords(one.score?.verdict ?? ''),
      describeReason(one),
    ])
  return [
    `#### Failed cases: ${firstOfCases.length}`,
    formatMarkdownTable(['case', 'sample', 'verdict', 'root cause'], rows),
    ...(firstOfCases.length > rows.length ? [`… and ${firstOfCases.length - rows.length} more.`] : []),
  ]
}

function describeReason({ score }: ScoredSample): string {
  if (!score) return ''
  const { rootCause } = score.evidence
  if (rootCause) return `${escapeMarkdown(splitWords(rootCause.cause))}: ${formatCodeSpan(rootCause.because)}`
  const [first] = explainSample(score.evidence)
  return first === undefined ? '' : formatCodeSpan(first)
}

/** `gate` is absent if none was requested. */
export function formatReportMarkdown(report: Report, gate?: GateVerdict): string {
  const { result, run } = report
  const { comparison } = gate ?? {}
  const title = gate ? `: gate ${gate.passed ? 'passed' : 'failed'}` : ''
  return [
    `### StateEval${title}`,
    `${formatCodeSpan(result.model)} on benchmark ${formatCodeSpan(result.digest.slice(0, 12))}, evaluation ${formatCodeSpan(run.evaluation)}`,
    ...(result.partial ? [`**Partial**: ${describePartial(result.partial)}.`] : []),
    formatRateSummary(report, gate),
    ...(gate ? [formatChecks(gate)] : []),
    ...(comparison
      ? formatFlips('Worse than the baseline', comparison.regressions, comparison.regressed)
      : []),
    ...(comparison
      ? formatFlips('Better than the baseline', comparison.improvements, comparison.improved)
      : []),
    ...formatMarkdownFailures(result),
    `Report: \`npx stateeval report ${run.evaluation}\`\n`,
  ].join('\n\n')
}
