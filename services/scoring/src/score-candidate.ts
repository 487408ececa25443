/**
 * Scores a candidate, whatever it is. What scoring fails over, by an error, its time or its memory, is the
 * candidate's doing if its case can be scored without it: then it is scored as one that left nothing.
 */
import { ProblemError, type Score, type ScoreRequest } from '@stateeval/contracts'
import { isAway, getErrorText } from '@stateeval/service-kit'
import { scoreItem } from './score-item.ts'
import { isLongItem, resolveNames } from './score-order.ts'
import { toCandidateScore, listStandIns } from './stand-ins.ts'

type CandidateContext = Parameters<typeof scoreItem>[1]

/** Limits of a thread concern the candidate; other problems concern what the request names. */
const isOurs = (error: unknown) =>
  isAway(error) || (error instanceof ProblemError && error.code !== 'payload-too-large')

export async function scoreCandidate(request: ScoreRequest, context: CandidateContext): Promise<Score> {
  try {
    return await scoreItem(request, context)
  } catch (error) {
    if (isOurs(error)) throw error
  }
  try {
    // A busy machine is slow, and a thread may end for others' needs.
    return await scoreItem(request, context)
  } catch (error) {
    if (isOurs(error)) throw error
    const says = `the answer cannot be scored: ${getErrorText(error)}`.slice(0, 500)
    const isApart = isLongItem(request)
    for (const candidate of listStandIns(request.candidate, says)) {
      const item = { ...request, candidate }
      // Known work is done where the candidate was scored: a thread may fail whatever it reads.
      const score = await scoreItem(isApart ? JSON.stringify(item) : item, context, {
        names: resolveNames(item),
      }).catch(() => null)
      const own = score && toCandidateScore(score, says)
      if (own) return own
    }
    throw error
  }
}
