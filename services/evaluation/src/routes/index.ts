/** Handlers by resource, longer ones in files of their own; the record is checked against the contract. */
import type { evaluationOperations } from '@stateeval/contracts'
import type { Handlers } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'
import * as benchmarks from './benchmarks.ts'
import * as comparisons from './comparisons.ts'
import { createBenchmark } from './create-benchmark.ts'
import { createEvaluation } from './create-evaluation.ts'
import * as evaluations from './evaluations.ts'
import { getBenchmarkPrompts } from './get-benchmark-prompts.ts'
import { getEvaluationEvents } from './get-evaluation-events.ts'
import { getEvaluationReport } from './get-evaluation-report.ts'
import * as imports from './imports.ts'
import * as models from './models.ts'
import * as recordings from './recordings.ts'
import { resumeEvaluation } from './resume-evaluation.ts'
import * as reviews from './reviews.ts'
import { writeBenchmark } from './write-benchmark.ts'

export const handlers: Handlers<typeof evaluationOperations, EvaluationContext> = {
  ...benchmarks,
  createBenchmark,
  writeBenchmark,
  ...imports,
  getBenchmarkPrompts,
  ...reviews,
  ...models,
  ...evaluations,
  createEvaluation,
  resumeEvaluation,
  getEvaluationReport,
  getEvaluationEvents,
  ...recordings,
  ...comparisons,
}
