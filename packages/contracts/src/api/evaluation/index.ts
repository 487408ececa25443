/** The operations of the evaluation service, the suite's public API: benchmarks, models, evaluations. */
import { accessOperations } from './access.ts'
import { benchmarkFileOperations } from './benchmark-files.ts'
import { benchmarkOperations } from './benchmarks.ts'
import { comparisonOperations } from './comparisons.ts'
import { deadLetterOperations } from './dead-letters.ts'
import { episodeOperations } from './episodes.ts'
import { resultOperations } from './evaluation-results.ts'
import { evaluationRunOperations } from './evaluations.ts'
import { exportOperations } from './exports.ts'
import { gateOperations } from './gates.ts'
import { limitOperations } from './limits.ts'
import { modelOperations } from './models.ts'
import { operateOperations } from './operate.ts'
import { reviewOperations } from './reviews.ts'
import { streamOperations } from './streams.ts'
import { webhookOperations } from './webhooks.ts'
import { worldOperations } from './worlds.ts'

export const evaluationOperations = {
  ...benchmarkOperations,
  ...benchmarkFileOperations,
  ...reviewOperations,
  ...modelOperations,
  ...evaluationRunOperations,
  ...resultOperations,
  ...episodeOperations,
  ...streamOperations,
  ...exportOperations,
  ...comparisonOperations,
  ...gateOperations,
  ...deadLetterOperations,
  ...accessOperations,
  ...operateOperations,
  ...limitOperations,
  ...webhookOperations,
  ...worldOperations,
}

export { folderLimit } from './shared.ts'
