/** Scores one candidate of a benchmark's test case: the queue side of POST /v1/scores. */
import {
  BenchmarkScoreItem,
  ProblemError,
  type Score,
  type ScoreRequest,
  subjects,
} from '@stateeval/contracts'
import { accepts, getCurrentSpan, genAi, type JobDefinition, JobRefusal } from '@stateeval/service-kit'
import type { ScoringContext } from '../context.ts'
import { scoreCandidate } from '../score-candidate.ts'
import { noAnswer } from '../stand-ins.ts'

const acceptItem = accepts(BenchmarkScoreItem)

/** A candidate beyond the contract, such as with more calls, is the answerer's: it counts as no answer. */
function withFittingCandidate(payload: unknown): ScoreRequest {
  try {
    return acceptItem(payload)
  } catch (error) {
    try {
      return acceptItem({ ...(payload as ScoreRequest), candidate: noAnswer })
    } catch {
      throw error
    }
  }
}

export const scoreJob: JobDefinition<ScoringContext, ScoreRequest, Score> = {
  takes: subjects.score,
  // Scoring is computing without waiting: more at a time only slow each other down.
  concurrency: 2,
  timeoutMs: 300_000,
  // The same case and candidate have the same score, sooner than it could be looked up.
  outcome: 'none',
  validate: withFittingCandidate,
  async handle(request, context) {
    try {
      const from = performance.now()
      const score = await scoreCandidate(request, context)
      const { reward = score.passed ? 1 : 0, verdict } = score
      getCurrentSpan()?.part('evaluate', performance.now() - from, {
        [genAi.evaluationName]: request.kind,
        [genAi.scoreValue]: reward,
        [genAi.scoreLabel]: verdict,
      })
      return score
    } catch (error) {
      // An unknown benchmark stays unknown, however often it is asked for.
      if (error instanceof ProblemError) throw new JobRefusal(error.message)
      throw error
    }
  },
}
