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
import { type EvaluationContext, takeAllParts, takeParts } from '../context.ts'
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
import * as worlds from './worlds.ts'
import { checkConformance, planBenchmark, writeBenchmark } from './write-benchmark.ts'

/** Parts of the context that the handlers of each kind of resource use. */
const take = {
  jobs: takeParts('platform', 'jobs', 'collections'),
  sets: takeParts('platform', 'catalog', 'collections', 'storage', 'jobs'),
  kinds: takeParts('catalog'),
  imports: takeParts('platform', 'storage', 'jobs'),
  plans: takeParts('settings', 'catalog', 'threads'),
  models: takeParts('platform', 'settings', 'collections', 'asking'),
  reports: takeParts('platform', 'catalog', 'storage', 'jobs'),
  samples: takeParts('platform', 'catalog', 'collections', 'storage', 'threads', 'asking', 'jobs'),
  recordings: takeParts('platform', 'collections', 'asking', 'jobs'),
  worlds: takeParts('platform', 'collections'),
  comparisons: takeParts('platform', 'catalog', 'collections', 'threads', 'jobs'),
}

export const handlers: OperationHandlers<typeof evaluationOperations, EvaluationContext, typeof works> = {
  ...bindHandlers(jobHandlers, take.jobs),
  ...bindHandlers(setHandlers, take.sets),
  ...bindHandlers(kinds, take.kinds),
  ...bindHandlers({ createBenchmark, createEvaluation, writeBenchmark }, takeAllParts),
  ...bindHandlers({ resumeEvaluation, rescoreEvaluation }, takeAllParts),
  ...bindHandlers(imports, take.imports),
  ...bindHandlers({ checkConformance, planBenchmark }, take.plans),
  ...bindHandlers({ ...exports, ...reviews, ...samples, ...sampleTable }, take.samples),
  ...bindHandlers(models, take.models),
  ...bindHandlers(episodeHandlers, ({ environment }: EvaluationContext) => environment.episodes),
  ...bindHandlers(streamHandlers, ({ environment }: EvaluationContext) => environment.streams),
  ...bindHandlers({ getEvaluationReport, getEvaluationSummary, checkGate }, take.reports),
  ...bindHandlers(recordings, take.recordings),
  ...bindHandlers(comparisons, take.comparisons),
  ...bindHandlers(worlds, take.worlds),
  ...bindHandlers(administrationHandlers, ({ administration }: EvaluationContext) => administration),
  ...bindHandlers(webhookHandlers, ({ webhooks }: EvaluationContext) => webhooks),
}
