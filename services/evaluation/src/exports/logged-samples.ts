/** Ended samples with all their evidence, one at a time, for export formats that contain dialogues. */
import type { BenchmarkCase, JobPayload, SecondOpinion, Transcript } from '@stateeval/contracts'
import {
  emptyLog,
  buildReplyEntry,
  type EntryLog,
  type SampleOutcome,
  type SampleRecord,
} from '@stateeval/flows'
import type { ArtifactCache, FixedDocuments } from '@stateeval/service-kit'
import { formatItemId } from '@stateeval/workflow'
import { loadDialogue, type EvaluationItems } from '../owners/evaluation-items.ts'
import { loadOpinionsOfSamples } from '../owners/opinions.ts'
import { type EvaluationOwner, loadOutcomes } from '@stateeval/jobs'
import { loadReferenceAnswer } from '@stateeval/sets'

export interface LoggedSample {
  owner: EvaluationOwner
  case: BenchmarkCase
  /** The reference's first answer. */
  target: string | null
  outcome: SampleOutcome
  transcripts: readonly Transcript[]
  opinion?: SecondOpinion
}

/** The dialogue that decided the verdict: that of the failed input, otherwise the model's first. */
export function findDecidingDialogue({ outcome, transcripts }: LoggedSample): number {
  const input = outcome.scored.score?.evidence.input
  const ofModel = (one: Transcript) => one.role === 'model'
  const failed = transcripts.findIndex((one) => ofModel(one) && input !== undefined && one.input === input)
  return failed >= 0 ? failed : transcripts.findIndex(ofModel)
}

export interface SampleLogSources extends EvaluationItems {
  artifactCache: ArtifactCache
  records: Pick<FixedDocuments<JobPayload>, 'get' | 'many'>
}

/** Ids that are looked up together. */
const together = 100

/** Loads a sample's conversation: from its log, from its record, or from its answer alone. */
async function loadLog(
  { artifacts }: SampleLogSources,
  { log, answer, finish = 'stop' }: SampleOutcome,
  payload: JobPayload | null,
): Promise<EntryLog> {
  if (log) return log
  const record = payload ? ((await artifacts.unpack(payload)) as SampleRecord) : {}
  if (record.log) return record.log
  return answer === null
    ? emptyLog
    : { stored: [], entries: [buildReplyEntry(0, 'model', { text: answer, finish })] }
}

export async function* readLoggedSamples(
  context: SampleLogSources,
  owner: EvaluationOwner,
): AsyncGenerator<LoggedSample> {
  const { total = 0 } = owner.stages['samples'] ?? {}
  const { samples, language } = owner.options
  const benchmark = context.benchmark(owner.set.kind)
  let reference: { place: number; target: string | null } | undefined
  for (let from = 0; from < total; from += together) {
    const places = Array.from({ length: Math.min(together, total - from) }, (_, n) => from + n)
    const items = places.map((index) => ({ workflow: owner.id, stage: 'samples', index }))
    const records = await context.records.many(items.map(formatItemId))
    const opinions = await loadOpinionsOfSamples(context, owner, places)
    let place = from - 1
    for await (const outcome of loadOutcomes<SampleOutcome>(context, items)) {
      place++
      if (!outcome) continue
      const log = await loadLog(context, outcome, records[place - from] ?? null)
      const { transcripts = [] } = await loadDialogue(context, owner, place, log)
      const n = Math.floor(place / samples)
      const c = await context.sets.case(owner.benchmark, n)
      if (reference?.place !== n)
        reference = { place: n, target: await loadReferenceAnswer(context, benchmark, c, language) }
      const opinion = opinions.get(place)
      yield {
        ...{ owner, case: c, target: reference.target, outcome, transcripts: transcripts },
        ...(opinion && { opinion }),
      }
    }
  }
}
