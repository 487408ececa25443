/** Sends the score of a sample to a collector as `gen_ai.evaluation.result`, once, when the sample ends. */
import type { ScoredSample } from '@stateeval/contracts'
import { evaluationResult, genAi, type TelemetryExport } from '@stateeval/service-kit'
import type { JobOwner } from './owner.ts'

export function exportResult(
  { telemetry }: { telemetry: TelemetryExport },
  owner: JobOwner | null,
  { case: id, sample, score, notScored }: ScoredSample,
): void {
  if (owner?.entity !== 'evaluation') return
  const cause = score?.evidence.rootCause?.cause
  telemetry.event(evaluationResult, {
    // The metric: what the benchmark's kind means by a reward.
    [genAi.evaluationName]: owner.set.kind,
    ...(score
      ? {
          [genAi.scoreValue]: score.reward ?? (score.passed ? 1 : 0),
          [genAi.scoreLabel]: score.verdict,
          ...(cause !== undefined && { [genAi.explanation]: cause }),
        }
      : { [genAi.errorType]: 'not_scored', [genAi.explanation]: notScored ?? '' }),
    'stateeval.evaluation': owner.id,
    'stateeval.case': id,
    'stateeval.sample': sample,
  })
}
