/** The results of an evaluation: samples, answers, the report, the recording. */
import Type from 'typebox'
import {
  EvaluationSummary,
  Report,
  SampleAnswer,
  SampleDetail,
  SampleTable,
  SampleTableQuery,
} from '../../evaluation/index.ts'
import { Recording } from '../../recording.ts'
import {
  exampleAnswer,
  exampleRecording,
  failedSample,
  passedSample,
  recordingText,
} from '../../examples/evaluations.ts'
import { exampleReport, exampleSummary } from '../../examples/report.ts'
import { exampleSample, exampleTable } from '../../examples/samples.ts'
import { IdParams, PositionQuery, definePage } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import { ScoredSample } from '../../report.ts'
import { folderLimit } from './shared.ts'

const SampleQuery = Type.Object(
  {
    ...PositionQuery.properties,
    case: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only samples of this case' }),
    ),
  },
  { additionalProperties: false },
)

export const resultOperations = defineOperations({
  getEvaluationResults: {
    method: 'GET',
    path: '/v1/evaluations/:id/results',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Scored samples, page by page',
    description:
      'Sorted by case and sample; optionally for one case only. While the evaluation runs, the list has the samples so far.',
    params: IdParams,
    query: SampleQuery,
    success: {
      200: {
        description: 'A page',
        schema: definePage(ScoredSample),
        example: { items: [passedSample, failedSample] },
      },
    },
    errors: [400, 404, 409],
  },
  getEvaluationAnswers: {
    method: 'GET',
    path: '/v1/evaluations/:id/answers',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Answers to the samples, page by page',
    description:
      'Sorted by case and sample; optionally for one case only. While the evaluation runs, the list has the samples so far. A page of long answers may end before its limit. Once `finish` and null values are removed, the entries are valid `answers` of an evaluation.',
    params: IdParams,
    query: SampleQuery,
    success: {
      200: { description: 'A page', schema: definePage(SampleAnswer), example: { items: [exampleAnswer] } },
    },
    errors: [400, 404, 409],
  },
  getEvaluationReport: {
    method: 'GET',
    path: '/v1/evaluations/:id/report',
    scope: 'read',
    tag: 'evaluations',
    summary: 'The report',
    description:
      '`result` is byte-identical for the same benchmark, answers and version; `run` describes the execution. The report of a running, failed or cancelled evaluation covers the finished samples, and has `result.partial`. The report exists once the first sample starts.',
    params: IdParams,
    query: Type.Object({ format: Type.Optional(Type.Literal('json')) }),
    success: { 200: { description: 'The report', schema: Report, example: exampleReport } },
    errors: [400, 404, 409],
  },
  getEvaluationSummary: {
    method: 'GET',
    path: '/v1/evaluations/:id/summary',
    scope: 'read',
    tag: 'evaluations',
    summary: 'The report without its samples',
    description:
      'A report of constant size, regardless of the number of samples. It has the report sections of the kind of benchmark: tables, counts in parts, lines of text. Available as soon as the report is.',
    params: IdParams,
    success: {
      200: { description: 'The summary', schema: EvaluationSummary, example: exampleSummary },
    },
    errors: [400, 404, 409],
  },
  listEvaluationSamples: {
    method: 'GET',
    path: '/v1/evaluations/:id/samples',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Samples as rows, filtered, searched and sorted',
    description:
      'The matching samples from any position in the list, with counts of all samples by verdict, root cause and group. While the evaluation runs, the list has the samples so far. A search that takes longer than 20 s fails with 422.',
    params: IdParams,
    query: SampleTableQuery,
    success: { 200: { description: 'Rows', schema: SampleTable, example: exampleTable } },
    errors: [400, 404, 409, 422],
  },
  getEvaluationSample: {
    method: 'GET',
    path: '/v1/evaluations/:id/samples/:place',
    scope: 'read',
    tag: 'evaluations',
    summary: 'One sample with all its evidence',
    description:
      'Its score, transcripts, the code extracted from each attempt, the observation of each run, and the reference’s observations on the same inputs.',
    params: Type.Object({ id: IdParams.properties.id, place: Type.String({ pattern: '^[0-9]{1,9}$' }) }),
    success: { 200: { description: 'The sample', schema: SampleDetail, example: exampleSample } },
    errors: [400, 404, 409],
  },
  getEvaluationRecording: {
    method: 'GET',
    path: '/v1/evaluations/:id/recording',
    scope: 'read',
    tag: 'evaluations',
    summary: 'The model’s answers as a file',
    description:
      'JSON lines. Import the file into another installation to repeat the evaluation without the model. It contains no key.',
    params: IdParams,
    success: {
      200: {
        description: 'JSON lines',
        schema: Type.String(),
        contentType: 'application/jsonl',
        example: recordingText,
      },
    },
    errors: [400, 404, 409],
  },
  importRecording: {
    method: 'POST',
    path: '/v1/recordings',
    scope: 'run',
    tag: 'evaluations',
    summary: 'Import a recording',
    description:
      'The body is the text of a recording. Importing the same text again returns the same resource. An evaluation or a build can name it instead of a model. An evaluation of another model can take the responses of live APIs from it (`responses`).',
    body: Type.Object(
      { text: Type.String({ minLength: 2, description: 'The JSON lines' }) },
      { additionalProperties: false },
    ),
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: Recording, example: exampleRecording } },
    errors: [400, 413, 415, 422],
    example: { text: recordingText },
  },
})
