/** Reports, samples and benchmarks as tables, for data frames and databases. */
import Type from 'typebox'
import { recordOf } from '../../basics/record.ts'
import { IdParams } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import { TableQuery, tableTypes } from '../../tables.ts'

const { jsonl: contentType, ...others } = tableTypes
/** A table: text as JSON lines and CSV, bytes as Parquet. */
const table = (example: string) => ({
  description: 'The table, as a stream',
  schema: Type.String(),
  contentType,
  otherTypes: Object.values(others),
  example,
})
const forms =
  'As JSON lines, CSV (RFC 4180; what a spreadsheet would take for a formula begins with an apostrophe) or Parquet, by `format` or the Accept header.'

export const exportOperations = defineOperations({
  exportReports: {
    method: 'GET',
    path: '/v1/exports/reports',
    scope: 'read',
    tag: 'evaluations',
    summary: 'All reports as a table',
    description: `A row for each evaluation that has succeeded, in the order of ids: model, options, pass rate with its interval, counts, usage and cost. ${forms}`,
    query: TableQuery,
    success: {
      200: table('{"evaluation":"ev_0mwrxttlp1d0b3fb3c1","model":"qwen","rate":1,"scored":1,"passed":1}\n'),
    },
    errors: [400],
  },
  exportSamples: {
    method: 'GET',
    path: '/v1/evaluations/:id/export',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Samples of an evaluation as a table',
    description: `A row for each sample that has ended, in the order of the set: verdict, metrics, evidence, the answer, what it used. ${forms}`,
    params: IdParams,
    query: TableQuery,
    success: {
      200: table(
        '{"evaluation":"ev_0mwrxttlp1d0b3fb3c1","case":"session-service-b7e6e072e94e","passed":true}\n',
      ),
    },
    errors: [400, 404],
  },
  exportCases: {
    method: 'GET',
    path: '/v1/benchmarks/:id/export',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'Cases of a benchmark as a table',
    description: `A row for each case, in the order of cases.jsonl: instruction, group, metrics, and the whole case as its line of that file. ${forms}`,
    params: IdParams,
    query: TableQuery,
    success: {
      200: table('{"digest":"fedfe53a…","case":"session-service-b7e6e072e94e","instruction":"…"}\n'),
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
      'For collections of results of many evaluators: the record that schema 0.3 of Every Eval Ever describes, with each figure and its uncertainty.',
    params: IdParams,
    query: Type.Object(
      {
        organization: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            default: 'unknown',
            description: 'Who evaluated',
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
        schema: recordOf(Type.Unknown()),
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
      'JSON lines, one for each sample with a score: prompt or dialogue, answer, reference and score, as the instance-level schema 0.3 of Every Eval Ever describes. They belong to the pass rate of the report’s record.',
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
      'An EvalLog in its JSON form (version 2), for Inspect’s viewer and its data frames: the figures of the report, then every sample with its messages, output and score. The same evaluation has the same bytes.',
    params: IdParams,
    success: {
      200: {
        description: 'The log, as a stream',
        schema: recordOf(Type.Unknown()),
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
      'README.md of a folder that the Hugging Face library datasets loads: metadata (digest, hashes, versions, options, licence) above the set’s own README. The folder has the export as Parquet in data/test.parquet beside the files of the benchmark, and can be imported here with the same digest.',
    params: IdParams,
    query: Type.Object(
      {
        licence: Type.Optional(
          Type.String({
            pattern: '^[a-z0-9][a-z0-9.-]{0,49}$',
            description:
              'The set’s licence, by its name in the Hugging Face list; apache-2.0 for sets that were built here, else unknown',
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
