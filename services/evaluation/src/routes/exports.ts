/**
 * Reports, samples and cases as tables, and the card of a set. All are streamed, so memory holds none of
 * them.
 */
import { type JsonValue, ProblemError, type TableQuery, tableFormats, tableTypes } from '@stateeval/contracts'
import { type CacheHolder, type Platform, preferredType } from '@stateeval/service-kit'
import { type Table, writeTable } from '@stateeval/tables'
import { fileFrame } from '../dashboard/files.ts'
import { cardOf } from '../exports/card.ts'
import { caseRows, casesTable } from '../exports/cases.ts'
import { everyEvalEver } from '../exports/every-eval-ever.ts'
import { sampleRecords } from '../exports/every-eval-ever-samples.ts'
import { inspectLog } from '../exports/inspect/log.ts'
import type { SampleLogSources } from '../exports/logged-samples.ts'
import { pageOf, type PageSources } from '../exports/page.ts'
import { type ReportRows, reportRows, reportsTable } from '../exports/reports.ts'
import { sampleRows, samplesTable } from '../exports/samples.ts'
import { figuresAt } from '../owners/report.ts'
import type { Sets } from '../owners/sets.ts'
import type { ItemEnds, ResourceReader } from '../owners/stage.ts'
import type { ReportSource } from './evaluation-report.ts'
import { summaryFor } from './evaluation-summary.ts'
import {
  endedEvaluation,
  existingBenchmark,
  existingEvaluation,
  type OwnerSource,
  readyBenchmark,
} from './existing.ts'
import { evaluationResource } from './resources.ts'
import type { Route } from './route.ts'

interface CaseSource extends OwnerSource {
  sets: Sets
}
interface Asked {
  query: TableQuery
  headers: Readonly<Record<string, string | string[] | undefined>>
}

const types = Object.values(tableTypes) as [string, ...string[]]

/** A table in the form that is asked for: by `format`, else by the Accept header. */
function answer<Row>({ query, headers }: Asked, table: Table<Row>, rows: AsyncIterable<Row>) {
  const preferred = preferredType(types, headers)
  const format = query.format ?? tableFormats.find((one) => tableTypes[one] === preferred) ?? 'jsonl'
  return { status: 200 as const, body: writeTable(format, table, rows), contentType: tableTypes[format] }
}

export const exportReports: Route<'exportReports', ReportRows> = async (request, context) =>
  answer(request, reportsTable, reportRows(context))

export const exportSamples: Route<'exportSamples', OwnerSource & ItemEnds> = async (request, context) => {
  const owner = await existingEvaluation(context, request.params.id)
  return answer(request, samplesTable(owner), sampleRows(context, owner))
}

/** Default for the giver of a record, where the caller does not say. */
const unknown = { organization: 'unknown', relationship: 'other' }

export const exportRecord: Route<'exportRecord', OwnerSource & Pick<ItemEnds, 'artifacts'>> = async (
  { params: { id }, query },
  context,
) => {
  const owner = await endedEvaluation(context, id)
  const figures = await figuresAt(context, owner.ended)
  return {
    status: 200,
    body: everyEvalEver(owner, figures, { ...unknown, ...query }) as Record<string, JsonValue>,
  }
}

/** An evaluation whose samples can be told with their cases. */
async function withCases(context: OwnerSource, id: string) {
  const owner = await endedEvaluation(context, id)
  // Before the first byte: what is asked and answered in a case is made from the set.
  await existingBenchmark(context, owner.benchmark).catch(() => {
    throw new ProblemError(
      'conflict',
      `the benchmark ${owner.benchmark} of the evaluation ${id} was deleted, and an export needs its cases; import it again`,
    )
  })
  return owner
}

export const exportSampleRecords: Route<'exportSampleRecords', OwnerSource & SampleLogSources> = async (
  { params: { id } },
  context,
) => ({ status: 200, body: sampleRecords(context, await withCases(context, id)) })

export const exportInspectLog: Route<'exportInspectLog', OwnerSource & SampleLogSources> = async (
  { params: { id } },
  context,
) => ({ status: 200, json: inspectLog(context, await withCases(context, id)) })

/** Only as a file: opened as a page of this origin, it might do what the caller may. */
const asFile = (name: string) => ({
  'content-disposition': `attachment; filename="${name}"`,
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
})

export const exportPage: Route<
  'exportPage',
  PageSources & ReportSource & ResourceReader & CacheHolder & Pick<Platform, 'now'>
> = async ({ params: { id }, query: { samples = 'failed' } }, context) => {
  const owner = await existingEvaluation(context, id)
  const frame = await fileFrame()
  if (!frame)
    throw new ProblemError(
      'unavailable',
      'the page needs the dashboard, which is not built here; run: node apps/dashboard/build.ts (npx stateeval up does this)',
    )
  const summary = await summaryFor(context, owner)
  const evaluation = await evaluationResource(context, owner)
  const which = /^[0-9]+$/.test(samples) ? Number(samples) : (samples as 'failed' | 'all' | 'none')
  const madeAt = context.now().toISOString()
  return {
    status: 200,
    body: pageOf(context, owner, { frame, evaluation, summary, samples: which, madeAt }),
    headers: asFile(`stateeval-${id}.html`),
  }
}

export const exportCases: Route<'exportCases', CaseSource> = async (request, context) => {
  const { id, manifest } = await readyBenchmark(context, request.params.id)
  return answer(request, casesTable(manifest), caseRows(context.sets, id, manifest))
}

export const getBenchmarkCard: Route<'getBenchmarkCard', CaseSource> = async (
  { params, query: { licence } },
  context,
) => {
  const { id, manifest, origin } = await readyBenchmark(context, params.id)
  // For imported data, nobody here knows it.
  const known = origin === 'import' ? 'unknown' : 'apache-2.0'
  const readme = manifest.files['README.md'] === undefined ? '' : await context.sets.readme(id)
  return { status: 200, body: cardOf(manifest, licence ?? known, readme) }
}
