/** Reports, samples and benchmarks as tables, for data frames and databases. */
import Type from 'typebox'
import { defineRecord } from '../../basics/record.ts'
import { IdParams } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import { TableQuery, tableTypes } from '../../tables.ts'

const { jsonl: contentType, ...others } = tableTypes
/** A table: text as JSON lines and CSV, bytes as Parquet. */
const defineTable = (example: string) => ({
  description: 'The table, as a stream',
  schema: Type.String(),
  contentType,
  otherTypes: Object.values(others),
  example,
})
const forms =
  'Formats: JSON lines, CSV (RFC 4180, with an apostrophe before text that a spreadsheet would read as a formula) or Parquet, by `format` or the Accept header.'

export const exportOperations = defineOperations({
  exportReports: {
    method: 'GET',
    path: '/v1/exports/reports',
    scope: 'read',
    tag: 'evaluations',
    summary: 'All reports as a table',
    description: `One row per succeeded evaluation, sorted by id: model, options, pass rate with its interval, counts, usage and cost. ${forms}`,
    query: TableQuery,
    success: {
      200: defineTable(
        '{"evaluation":"ev_0mwrxttlp1d0b3fb3c1","model":"qwen","rate":1,"scored":1,"passed":1}\n',
      ),
    },
    errors: [400],
  },
  exportSamples: {
    method: 'GET',
    path: '/v1/evaluations/:id/export',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Samples of an evaluation as a table',
    description: `One row per finished sample, in the order of the set: verdict, metrics, evidence, answer and usage. ${forms}`,
    params: IdParams,
    query: TableQuery,
    success: {
      200: defineTable(
        '{"evaluation":"ev_0mwrxttlp1d0b3fb3c1","case":"session-service-b7e6e072e94e","passed":true}\n',
      ),
    },
    errors: [400, 404],
  },
  exportPage: {
    method: 'GET',
    path: '/v1/evaluations/:id/page',
    scope: 'read',
    tag: 'evaluations',
    summary: 'An evaluation as one HTML file',
    description:
      'The dashboard with the data of this evaluation inside: it opens from disk, without a server, and loads no other files. It contains the whole report, a row for each sample, and the evidence of the chosen samples, at most 64 MiB of it, compressed. Available as soon as the report is.',
    params: IdParams,
    query: Type.Object(
      {
        samples: Type.Optional(
          Type.String({
            pattern: '^(failed|all|none|[0-9]{1,9})$',
            default: 'failed',
            description:
              'Samples whose evidence the page contains: `failed` (including samples without a score), `all`, `none`, or a number N for the first N',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    success: {
      200: {
        description: 'The page, as a stream',
        schema: Type.String(),
        contentType: 'text/html',
        example: '<!doctype html>\n<html lang="en">…</html>\n',
      },
    },
    errors: [400, 404, 409],
  },
  exportCases: {
    method: 'GET',
    path: '/v1/benchmarks/:id/export',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'Cases of a benchmark as a table',
    description: `One row per case, in the order of cases.jsonl: instruction, group, metrics, and the case’s whole line of that file. ${forms}`,
    params: IdParams,
    query: TableQuery,
    success: {
      200: defineTable('{"digest":"fedfe53a…","case":"session-service-b7e6e072e94e","instruction":"…"}\n'),
    },
    errors: [400, 404, 409],
  },
  exportRecord: {
    method: 'GET',
    path: '/v1/evaluations/:id/every-eval-ever',
    scope: 'read',
    tag: 'evaluations',
    summary: 'A report as a record of Every Eval Ever',
    description:
      'For collections of results from many evaluators: a record in schema 0.3 of Every Eval Ever, with each figure and its uncertainty.',
    params: IdParams,
    query: Type.Object(
      {
        organization: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            default: 'unknown',
            description: 'Name of the evaluator',
          }),
        ),
        relationship: Type.Optional(
          Type.Union(
            [
              Type.Literal('first_party'),
              Type.Literal('third_party'),
              Type.Literal('collaborative'),
              Type.Literal('other'),
            ],
            { default: 'other', description: 'The evaluator’s relationship to the model’s developer' },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    success: {
      200: {
        description: 'The record',
        schema: defineRecord(Type.Unknown()),
        example: { schema_version: '0.3.0', evaluation_id: 'stateeval_stateeval/qwen3-coder/1795356251' },
      },
    },
    errors: [400, 404, 409],
  },
  exportSampleRecords: {
    method: 'GET',
    path: '/v1/evaluations/:id/every-eval-ever/samples',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Samples as records of Every Eval Ever',
    description:
      'JSON lines, one per scored sample: prompt or dialogue, answer, reference and score, in the instance-level schema 0.3 of Every Eval Ever. The samples belong to the pass rate of the report’s record.',
    params: IdParams,
    success: {
      200: {
        description: 'The records, as a stream',
        schema: Type.String(),
        contentType: 'application/jsonl',
        example: '{"schema_version":"0.3.0","sample_id":"session-service-b7e6e072e94e"}\n',
      },
    },
    errors: [404, 409],
  },
  exportInspectLog: {
    method: 'GET',
    path: '/v1/evaluations/:id/inspect',
    scope: 'read',
    tag: 'evaluations',
    summary: 'An evaluation as a log of Inspect AI',
    description:
      'An EvalLog in its JSON form (version 2), for Inspect’s viewer and its data frames: the figures of the report, then every sample with its messages, output and score. The same evaluation gives the same bytes.',
    params: IdParams,
    success: {
      200: {
        description: 'The log, as a stream',
        schema: defineRecord(Type.Unknown()),
        example: { version: 2, status: 'success', eval: { task: 'stateeval', model: 'qwen' }, samples: [] },
      },
    },
    errors: [404, 409],
  },
  getBenchmarkCard: {
    method: 'GET',
    path: '/v1/benchmarks/:id/card',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'The dataset card of a benchmark',
    description:
      'README.md of a folder that the Hugging Face library datasets can load: metadata (digest, hashes, versions, options, licence) above the set’s own README. The folder has the Parquet export in data/test.parquet and the files of the benchmark. The folder can be imported with the same digest.',
    params: IdParams,
    query: Type.Object(
      {
        licence: Type.Optional(
          Type.String({
            pattern: '^[a-z0-9][a-z0-9.-]{0,49}$',
            description:
              'The set’s licence, by its Hugging Face identifier. Default: apache-2.0 for sets built here, otherwise unknown',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    success: {
      200: {
        description: 'Markdown',
        schema: Type.String(),
        contentType: 'text/markdown',
        example: '---\npretty_name: "StateEval stateeval"\n---\n# A benchmark\n',
      },
    },
    errors: [400, 404, 409],
  },
})
