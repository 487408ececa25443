/**
 * Samples of an evaluation that re-scores another: replayed from the other's records, without a model,
 * judge or sandbox.
 */
import { type JobPayload, ProblemError, type UnscoredKind } from '@stateeval/contracts'
import {
  selectReplayEffort,
  loadEntries,
  type ItemNeed,
  type SampleContext,
  type SampleOutcome,
  type SampleRecord,
} from '@stateeval/flows'
import { noUsage } from '@stateeval/models'
import type { FixedDocuments } from '@stateeval/service-kit'
import { type ItemFlow, formatItemId } from '@stateeval/workflow'
import {
  createEntryStore,
  sampleItem,
  type SampleStores,
  type EvaluationOwner,
  type ItemEnds,
  loadOutcome,
} from '@stateeval/jobs'

/** The store of records. */
export interface SampleRecords {
  records: Pick<FixedDocuments<JobPayload>, 'get'>
}
type RecordSources = SampleRecords & ItemEnds & SampleStores

/** How an item ends at once. */
const endAtOnce = (outcome: SampleOutcome): ItemFlow<ItemNeed> => ({
  start: () => ({ done: outcome }),
  resume: () => ({ done: outcome }),
  need() {
    throw new Error('a sample that has ended needs nothing')
  },
})

export async function createRescoredItem(
  context: RecordSources,
  { options, rescored }: EvaluationOwner,
  index: number,
  sample: SampleContext,
): Promise<ItemFlow<ItemNeed>> {
  // A case that is left out here may have been scored there.
  if (!rescored || sample.responder.kind === 'none') return sampleItem(context, sample)
  const { evaluation, samples } = rescored
  const place = Math.floor(index / options.samples) * samples + sample.sample
  const item = { workflow: evaluation, stage: 'samples', index: place }
  const outcome = await loadOutcome<SampleOutcome>(context, item)
  if (!outcome)
    throw new ProblemError(
      'conflict',
      `the evaluation ${evaluation}, whose samples are scored again, was deleted`,
    )
  const effort = selectReplayEffort(outcome)
  const { scored, answer, log } = outcome
  const unscored = (notScored: string, reason: UnscoredKind) =>
    endAtOnce({
      scored: {
        ...scored,
        score: null,
        notScored,
        reason,
        ...(scored.mutant && { mutant: { ...scored.mutant, outcome: 'not_scored' as const } }),
      },
      answer,
      ...(log && { log }),
      retries: 0,
      runtimes: [],
      usage: noUsage,
      ...effort,
    })
  if (scored.score === null) return unscored(scored.notScored ?? 'not scored', scored.reason ?? 'unknown')
  const payload = await context.records.get(formatItemId(item))
  const record = payload ? ((await context.artifacts.unpack(payload)) as SampleRecord) : {}
  const ownLog = record.log ?? log
  if (!ownLog)
    return unscored('not recorded: the evidence of the sample’s score was not stored', 'not_recorded')
  const { further } = record
  const entries = await loadEntries(ownLog, createEntryStore(context))
  return sampleItem(context, { ...sample, replay: { entries, ...(further && { further }), effort } })
}
