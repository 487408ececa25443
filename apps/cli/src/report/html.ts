/**
 * A report as one HTML file without scripts or outside resources: bars for rates with their intervals, then
 * every failure.
 */
import type { Rate, ReportResult } from '@stateeval/contracts'
import type { Presentation } from '@stateeval/program/presentation'
import { count, explanationsOf, interval, partialText, percent, plural, words } from './format.ts'
import { xml } from './junit.ts'
import { intervals, lines } from './plots.ts'
import { sectionHtml } from './sections.ts'

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c2733}
table{border-collapse:collapse;width:100%;margin:1rem 0}td,th{padding:.25rem .6rem;border-bottom:1px solid #dde3ea;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}details{margin:.4rem 0}pre{white-space:pre-wrap;background:#f4f6f9;padding:.6rem}`

/** A bar for the rate, with a line for its interval. */
function bar({ rate, interval: range }: Rate): string {
  if (rate === null) return ''
  const [low, high] = range ?? [rate, rate]
  return `<svg width="220" height="14" role="img" aria-label="${percent(rate)}"><rect width="220" height="14" fill="#eef2f6"/><rect width="${(rate * 220).toFixed(1)}" height="14" fill="#3f7fbf"/><line x1="${(low * 220).toFixed(1)}" x2="${(high * 220).toFixed(1)}" y1="7" y2="7" stroke="#16324f" stroke-width="2"/></svg>`
}
const rateRow = (name: string, rate: Rate) =>
  `<tr><td>${xml(name)}</td><td class="n">${count(rate)}</td><td class="n">${percent(rate.rate)}</td><td class="n">${interval(rate.interval)}</td><td>${bar(rate)}</td></tr>`
function verdictTable({ verdicts }: ReportResult): string {
  const rows = Object.entries(verdicts).filter(([, n]) => n > 0)
  const cells = rows.map(([name, n]) => `<tr><td>${xml(words(name))}</td><td class="n">${n}</td></tr>`)
  return section('Verdicts', cells.length === 0 ? '' : `<table>${cells.join('')}</table>`)
}

function mutation(result: ReportResult): string {
  if (!result.mutation) return ''
  const rows = result.mutation.operators.map(
    (o) =>
      `<tr><td>${xml(words(o.operator))}</td><td class="n">${o.byException}</td><td class="n">${o.byComparison}</td><td class="n">${o.survived}</td><td class="n">${o.equivalent}</td><td class="n">${percent(o.score)}</td><td class="n">${interval(o.interval)}</td></tr>`,
  )
  return `<h2>Mutation score ${percent(result.mutation.score)}</h2><p>The share of mutants, not equivalent to their reference, that were caught (95 % interval ${interval(result.mutation.interval)}).</p><table><tr><th>operator</th><th>by exception</th><th>by comparison</th><th>survived</th><th>equivalent</th><th>score</th><th>interval</th></tr>${rows.join('')}</table>`
}

const section = (title: string, body: string) => (body === '' ? '' : `<h2>${title}</h2>${body}`)

/** What several samples and several tries say. */
function samples({ statistics, firstTry }: ReportResult): string {
  const several = statistics && statistics.passAtK.length > 1 ? statistics : undefined
  const first = firstTry
    ? `<p>First tries: ${count(firstTry)}, ${percent(firstTry.rate)} (95 % interval ${interval(firstTry.interval)}); all other rates are of the last.</p>`
    : ''
  const plots = several
    ? `<p>pass@k is the chance that one of k answers passes, pass^k that all of them do; both are estimated without bias from all samples of a case.</p>${lines(
        'pass@k and pass^k over k',
        [
          { name: 'pass@k', points: several.passAtK },
          { name: 'pass^k', points: several.passAllK },
        ],
      )}`
    : ''
  return section('Several samples and tries', first + plots)
}

function groupPlots({ groups }: ReportResult): string {
  const plots = Object.entries(groups)
    .filter(([, members]) => members.length > 1)
    .map(
      ([group, members]) =>
        `<h3>${xml(words(group))}</h3>${intervals(
          `Pass rates by ${words(group)}`,
          members.map(({ name, scenario, rate }) => ({
            name: scenario ? `${scenario} ${name}` : name,
            ...rate,
          })),
        )}`,
    )
  return section('Pass rates within groups', plots.join(''))
}

function failures(result: ReportResult, details: Presentation['details']): string {
  const failed = result.samples.filter((sample) => sample.score && !sample.score.passed)
  const items = failed.map((one) => {
    const { case: id, sample, score } = one
    const { error, differences } = score!.evidence
    const lines = [
      ...(error ? [`${error.name}: ${error.message}`] : []),
      ...differences.map((d) => d.says),
      ...(details?.(one) ?? []),
    ]
    return `<details><summary>${xml(id)} sample ${sample}: ${xml(words(score!.verdict))}</summary><pre>${xml(lines.join('\n'))}</pre></details>`
  })
  return items.length === 0 ? '' : `<h2>Failures</h2>${items.join('')}`
}

type Shown = Pick<Presentation, 'sections' | 'failureSections' | 'details'>
/** `presentation` is the benchmark's kind, which adds sections and details. */
export function reportHtml(result: ReportResult, presentation: Shown = {}): string {
  const [measures, why] = [
    presentation.sections?.(result) ?? [],
    presentation.failureSections?.(result) ?? [],
  ]
  const groups = Object.entries(result.groups).flatMap(([group, members]) =>
    members.map(({ name, scenario, rate }) =>
      rateRow(`${words(group)}: ${scenario ? `${scenario} ` : ''}${name}`, rate),
    ),
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>StateEval: ${xml(result.model)}</title><style>${style}</style>
<h1>${xml(result.model)}</h1><p>Benchmark ${xml(result.digest)}${result.notScored > 0 ? `; ${plural(result.notScored, 'sample')} not scored` : ''}</p>${result.partial ? `<p><strong>Partial: ${xml(partialText(result.partial))}. Every figure covers only these.</strong></p>` : ''}
<table><tr><th>pass@1</th><th>passed</th><th>rate</th><th>95 % interval</th><th></th></tr>${rateRow('all', result.overall)}${groups.join('')}</table>${explanationsOf(
    result,
  )
    .map((text) => `<p><small>${xml(text)}</small></p>`)
    .join('')}
${groupPlots(result)}${section('Measures', measures.map(sectionHtml).join(''))}${samples(result)}${verdictTable(result)}${why.map(sectionHtml).join('')}${mutation(result)}${failures(result, presentation.details)}</html>
`
}
