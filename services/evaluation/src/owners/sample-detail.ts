/** One sample with all evidence for its verdict, including a second model's opinion. */
import { presentations } from '@stateeval/benchmarks/presentations'
import type { SampleDetail } from '@stateeval/contracts'
import { replayCandidate, type EvaluationItems } from './evaluation-items.ts'
import { loadOpinionsOfSamples } from './opinions.ts'
import type { EvaluationOwner, OwnerStore } from '@stateeval/jobs'

export const countSamples = ({ stages }: EvaluationOwner): number => stages['samples']?.total ?? 0

/** Null if the sample has not ended. */
export async function sampleDetail(
  context: EvaluationItems & { owners: Pick<OwnerStore, 'benchmark'> },
  owner: EvaluationOwner,
  place: number,
): Promise<SampleDetail | null> {
  const samples = countSamples(owner)
  const found = place < samples ? await replayCandidate(context, owner, place) : null
  if (!found) return null
  const { scored, ...rest } = found
  const secondOpinion = (await loadOpinionsOfSamples(context, owner, [place])).get(place)
  const presentation = presentations.find(({ kind }) => kind === owner.set.kind)
  const details = scored.score?.passed === false ? (presentation?.details?.(scored) ?? []) : []
  return {
    place,
    samples,
    scored: { ...scored, ...(secondOpinion && { secondOpinion }) },
    ...(details.length > 0 && { details }),
    ...rest,
  }
}
