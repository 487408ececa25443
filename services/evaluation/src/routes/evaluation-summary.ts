/** The report without its samples, with the report sections of its kind of benchmark. */
import { presentations } from '@stateeval/benchmarks/presentations'
import type { EvaluationSummary, Report, ReportSection } from '@stateeval/contracts'
import type { PresentationSection } from '@stateeval/program/presentation'
import type { CacheHolder } from '@stateeval/service-kit'
import { type EvaluationOwner, requireEvaluation } from '@stateeval/jobs'
import { loadReport, type ReportSource } from './evaluation-report.ts'
import type { OperationRoute } from './route.ts'

export const getEvaluationSummary: OperationRoute<
  'getEvaluationSummary',
  ReportSource & CacheHolder
> = async ({ params: { id } }, context) => ({
  status: 200,
  body: await loadSummary(context, await requireEvaluation(context, id)),
})

export function loadSummary(
  context: ReportSource & CacheHolder,
  owner: EvaluationOwner,
): Promise<EvaluationSummary> {
  const { id, ended } = owner
  const make = async () => summarizeReport(await loadReport(context, owner))
  // A result that is stored never changes, and its samples may take seconds to read.
  return ended ? context.cache(`summary/${id}/${ended.result}`, make) : make()
}

/** Rows and lines of a section, and samples of a list, that a summary has at most. */
const most = 200

export function summarizeReport({ result, run }: Report): EvaluationSummary {
  const { samples: _s, disagreements: _d, measures: _m, errors: _e, ...shown } = result
  const { mutation, secondOpinion } = shown
  const { cases: _c, ...went } = run
  const presentation = presentations.find(({ kind }) => kind === run.kind)
  return {
    result: {
      ...shown,
      ...(mutation && { mutation: { ...mutation, survivors: mutation.survivors.slice(0, most) } }),
      ...(secondOpinion && {
        secondOpinion: { ...secondOpinion, differ: secondOpinion.differ.slice(0, most) },
      }),
    },
    run: went,
    sections: (presentation?.sections?.(result) ?? []).map(limitSection),
    failures: (presentation?.failureSections?.(result) ?? []).map(limitSection),
  }
}

/** A section, cut to the maximum rows or lines of a summary. */
export function limitSection(section: PresentationSection): ReportSection {
  const { title } = section
  const titled = title === undefined ? {} : { title }
  const cut = <T>(rows: readonly T[], count = most) => ({
    some: rows.slice(0, count),
    ...(rows.length > count && { more: { more: rows.length - count } }),
  })
  if ('parts' in section) {
    const { some, more } = cut(section.parts.rows)
    return { ...titled, ...more, parts: { ...section.parts, rows: some } }
  }
  if ('table' in section) {
    const { some, more } = cut(section.table.rows)
    return { ...titled, ...more, table: { head: section.table.head, rows: some } }
  }
  const { some, more } = cut(section.lines, most + 1)
  return { ...titled, ...more, lines: some }
}
