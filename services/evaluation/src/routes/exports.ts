/**
 * Reports, samples and cases as tables, and the card of a set. All are streamed, so memory holds none of
 * them.
 */
import { type JsonValue, ProblemError, type TableQuery, tableFormats, tableTypes } from '@stateeval/contracts'
import { type CacheHolder, type ServicePlatform, choosePreferredType } from '@stateeval/service-kit'
import { type DataTable, writeTable } from '@stateeval/tables'
import { readFileFrame } from '../dashboard/files.ts'
import { formatCard } from '../exports/card.ts'
import { readCaseRows, createCasesTable } from '../exports/cases.ts'
import { buildEveryEvalEver } from '../exports/every-eval-ever.ts'
import { sampleRecords } from '../exports/every-eval-ever-samples.ts'
import { buildInspectLog } from '../exports/inspect/log.ts'
import type { SampleLogSources } from '../exports/logged-samples.ts'
import { writePage, type PageSources } from '../exports/page.ts'
import { type ReportRows, readReportRows, reportsTable } from '../exports/reports.ts'
import { sampleRows, createSamplesTable } from '../exports/samples.ts'
import { loadFigures } from '../owners/report.ts'
import type { BenchmarkSets, SuiteCatalog } from '@stateeval/sets'
import {
  type ItemEnds,
  type ResourceReader,
  requireEndedEvaluation,
  requireBenchmark,
  requireEvaluation,
  type OwnerSource,
  requireReadyBenchmark,
  describeEvaluation,
} from '@stateeval/jobs'
import type { ReportSource } from './evaluation-report.ts'
import { loadSummary } from './evaluation-summary.ts'
import type { OperationRoute } from './route.ts'

interface CaseSource extends OwnerSource {
  sets: BenchmarkSets
}
interface TableRequest {
  query: TableQuery
  headers: Readonly<Record<string, string | string[] | undefined>>
}

const types = Object.values(tableTypes) as [string, ...string[]]

/** A table in the form that is asked for: by `format`, else by the Accept header. */
function answerTable<Row>({ query, headers }: TableRequest, table: DataTable<Row>, rows: AsyncIterable<Row>) {
  const preferred = choosePreferredType(types, headers)
  const format = query.format ?? tableFormats.find((one) => tableTypes[one] === preferred) ?? 'jsonl'
  return { status: 200 as const, body: writeTable(format, table, rows), contentType: tableTypes[format] }
}

export const exportReports: OperationRoute<'exportReports', ReportRows> = async (request, context) =>
  answerTable(request, reportsTable, readReportRows(context))

export const exportSamples: OperationRoute<'exportSamples', OwnerSource & ItemEnds> = async (
  request,
  context,
) => {
  const owner = await requireEvaluation(context, request.params.id)
  return answerTable(request, createSamplesTable(owner), sampleRows(context, owner))
}

/** Default organisation that gives a record. */
const unknown = { organization: 'unknown', relationship: 'other' }

export const exportRecord: OperationRoute<
  'exportRecord',
  OwnerSource & Pick<ItemEnds, 'artifacts'> & Pick<SuiteCatalog, 'findBenchmark'>
> = async ({ params: { id }, query }, context) => {
  const owner = await requireEndedEvaluation(context, id)
  const figures = await loadFigures(context, owner.ended)
  const measures = context.findBenchmark(owner.set.kind)?.reporting?.measures
  return {
    status: 200,
    body: buildEveryEvalEver(owner, figures, { ...unknown, ...query, measures }) as Record<string, JsonValue>,
  }
}

/** An evaluation whose samples can be shown with their cases. */
async function withCases(context: OwnerSource, id: string) {
  const owner = await requireEndedEvaluation(context, id)
  // Before the first byte: what is asked and answered in a case is made from the set.
  await requireBenchmark(context, owner.benchmark).catch(() => {
    throw new ProblemError(
      'conflict',
      `the benchmark ${owner.benchmark} of the evaluation ${id} was deleted, and an export needs its cases; import it again`,
    )
  })
  return owner
}

export const exportSampleRecords: OperationRoute<
  'exportSampleRecords',
  OwnerSource & SampleLogSources
> = async ({ params: { id } }, context) => ({
  status: 200,
  body: sampleRecords(context, await withCases(context, id)),
})

export const exportInspectLog: OperationRoute<'exportInspectLog', OwnerSource & SampleLogSources> = async (
  { params: { id } },
  context,
) => ({ status: 200, json: buildInspectLog(context, await withCases(context, id)) })

/** Only as a file: opened as a page of this origin, it might do what the caller may. */
const createFileHeaders = (name: string) => ({
  'content-disposition': `attachment; filename="${name}"`,
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
})

export const exportPage: OperationRoute<
  'exportPage',
  PageSources & ReportSource & ResourceReader & CacheHolder & Pick<ServicePlatform, 'now'>
> = async ({ params: { id }, query: { samples = 'failed' } }, context) => {
  const owner = await requireEvaluation(context, id)
  const frame = await readFileFrame()
  if (!frame)
    throw new ProblemError(
      'unavailable',
      'the page needs the dashboard, which is not built here; run: node apps/dashboard/build.ts (npx stateeval up does this)',
    )
  const summary = await loadSummary(context, owner)
  const evaluation = await describeEvaluation(context, owner)
  const which = /^[0-9]+$/.test(samples) ? Number(samples) : (samples as 'failed' | 'all' | 'none')
  const madeAt = context.now().toISOString()
  return {
    status: 200,
    body: writePage(context, owner, { frame, evaluation, summary, samples: which, madeAt }),
    headers: createFileHeaders(`stateeval-${id}.html`),
  }
}

export const exportCases: OperationRoute<'exportCases', CaseSource> = async (request, context) => {
  const { id, manifest } = await requireReadyBenchmark(context, request.params.id)
  return answerTable(request, createCasesTable(manifest), readCaseRows(context.sets, id, manifest))
}

export const getBenchmarkCard: OperationRoute<'getBenchmarkCard', CaseSource> = async (
  { params, query: { licence } },
  context,
) => {
  const { id, manifest, origin } = await requireReadyBenchmark(context, params.id)
  // Imported data has an unknown licence.
  const known = origin === 'import' ? 'unknown' : 'apache-2.0'
  const readme = manifest.files['README.md'] === undefined ? '' : await context.sets.readme(id)
  return { status: 200, body: formatCard(manifest, licence ?? known, readme) }
}
