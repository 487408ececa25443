/** One file an operation; the list is checked against the contract. */
import type { evaluationOperations } from '@stateeval/contracts'
import type { Handlers } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'
import { cancelBenchmark } from './cancel-benchmark.ts'
import { cancelEvaluation } from './cancel-evaluation.ts'
import { createComparison } from './create-comparison.ts'
import { createBenchmark } from './create-benchmark.ts'
import { createReviewedBenchmark } from './create-reviewed-benchmark.ts'
import { createEvaluation } from './create-evaluation.ts'
import { decideReview } from './decide-review.ts'
import { deleteBenchmark } from './delete-benchmark.ts'
import { deleteModel } from './delete-model.ts'
import { getBenchmarkArtifact } from './get-benchmark-artifact.ts'
import { getBenchmarkCase } from './get-benchmark-case.ts'
import { getBenchmarkFile } from './get-benchmark-file.ts'
import { getBenchmarkReference } from './get-benchmark-reference.ts'
import { getBenchmarkPrompts } from './get-benchmark-prompts.ts'
import { getBenchmark } from './get-benchmark.ts'
import { getComparison } from './get-comparison.ts'
import { getEvaluationAnswers } from './get-evaluation-answers.ts'
import { getEvaluationEvents } from './get-evaluation-events.ts'
import { getEvaluationRecording } from './get-evaluation-recording.ts'
import { getEvaluationReport } from './get-evaluation-report.ts'
import { getEvaluationResults } from './get-evaluation-results.ts'
import { getEvaluation } from './get-evaluation.ts'
import { getModel } from './get-model.ts'
import { importBenchmark } from './import-benchmark.ts'
import { importDataset } from './import-dataset.ts'
import { importRecording } from './import-recording.ts'
import { listBenchmarkCases } from './list-benchmark-cases.ts'
import { listBenchmarks } from './list-benchmarks.ts'
import { listComparisons } from './list-comparisons.ts'
import { listEvaluations } from './list-evaluations.ts'
import { listModels } from './list-models.ts'
import { listReviews } from './list-reviews.ts'
import { getBenchmarkRecording } from './get-benchmark-recording.ts'
import { putModel } from './put-model.ts'
import { resumeEvaluation } from './resume-evaluation.ts'
import { writeBenchmark } from './write-benchmark.ts'

export const handlers: Handlers<typeof evaluationOperations, EvaluationContext> = {
  createBenchmark,
  importBenchmark,
  importDataset,
  writeBenchmark,
  listBenchmarks,
  getBenchmark,
  getBenchmarkFile,
  getBenchmarkArtifact,
  listBenchmarkCases,
  getBenchmarkCase,
  getBenchmarkReference,
  getBenchmarkPrompts,
  listReviews,
  decideReview,
  createReviewedBenchmark,
  getBenchmarkRecording,
  cancelBenchmark,
  deleteBenchmark,
  putModel,
  getModel,
  listModels,
  deleteModel,
  createEvaluation,
  listEvaluations,
  getEvaluation,
  getEvaluationResults,
  getEvaluationAnswers,
  getEvaluationReport,
  getEvaluationEvents,
  cancelEvaluation,
  resumeEvaluation,
  getEvaluationRecording,
  importRecording,
  createComparison,
  listComparisons,
  getComparison,
}
