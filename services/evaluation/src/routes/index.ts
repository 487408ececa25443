/**
 * Handlers by resource; long ones have separate files. The compiler checks the record against the contract.
 */
import { administrationHandlers } from '@stateeval/administration'
import type { evaluationOperations } from '@stateeval/contracts'
import { episodeHandlers, streamHandlers } from '@stateeval/environment'
import { jobHandlers } from '@stateeval/jobs'
import { bindHandlers, type OperationHandlers } from '@stateeval/service-kit'
import { setHandlers } from '@stateeval/sets'
import { webhookHandlers } from '@stateeval/webhooks'
import type { works } from '../bodies.ts'
import type { EvaluationContext } from '../context.ts'
import { createBenchmark } from './build-benchmark.ts'
import { checkGate } from './check-gate.ts'
import * as comparisons from './comparisons.ts'
import { getEvaluationReport } from './evaluation-report.ts'
import { getEvaluationSummary } from './evaluation-summary.ts'
import { createEvaluation } from './create-evaluation.ts'
import * as exports from './exports.ts'
import * as imports from './import-benchmark.ts'
import * as kinds from './kinds.ts'
import * as models from './models.ts'
import * as recordings from './recordings.ts'
import { rescoreEvaluation } from './rescore-evaluation.ts'
import { resumeEvaluation } from './resume-evaluation.ts'
import * as reviews from './reviews.ts'
import * as sampleTable from './sample-table.ts'
import * as samples from './samples.ts'
import { checkConformance, planBenchmark, writeBenchmark } from './write-benchmark.ts'

export const handlers: OperationHandlers<typeof evaluationOperations, EvaluationContext, typeof works> = {
  ...jobHandlers,
  ...setHandlers,
  ...kinds,
  createBenchmark,
  ...imports,
  ...exports,
  checkConformance,
  planBenchmark,
  writeBenchmark,
  ...reviews,
  ...models,
  createEvaluation,
  ...samples,
  ...sampleTable,
  ...bindHandlers(episodeHandlers, ({ environment }: EvaluationContext) => environment.episodes),
  ...bindHandlers(streamHandlers, ({ environment }: EvaluationContext) => environment.streams),
  resumeEvaluation,
  rescoreEvaluation,
  getEvaluationReport,
  getEvaluationSummary,
  ...recordings,
  ...comparisons,
  checkGate,
  ...bindHandlers(administrationHandlers, ({ administration }: EvaluationContext) => administration),
  ...bindHandlers(webhookHandlers, ({ webhooks }: EvaluationContext) => webhooks),
}
