/** The worlds of a sample's tool sessions, in recordings: kept like an answer, as the answers name ids that come from them. */
import { canonicalJson, type RecordedAnswer, type ScoredSample, sha256 } from '@stateeval/contracts'
import { type Answers, noUsage } from '@stateeval/models'
import type { SampleOutcome } from '../flows/sample.ts'
import type { EvaluationOwner } from './owner.ts'

type Sample = Pick<ScoredSample, 'case' | 'sample'>
type Seeds = SampleOutcome['seeds']
const finish = 'seeds'

const keyOf = ({ case: id, sample }: Sample) => sha256(canonicalJson({ seeds: 1, case: id, sample }))

/** The line of a sample; null where it had no sessions. */
export const seedsLine = ({ seeds, scored }: Partial<SampleOutcome>): RecordedAnswer | null =>
  seeds && scored
    ? { key: keyOf(scored), text: JSON.stringify(seeds), finish, usage: noUsage, retries: 0 }
    : null
export const isSeeds = (line: Pick<RecordedAnswer, 'finish'>): boolean => line.finish === finish

/** The recording that an evaluation repeats: its model's, else that of another part. */
const recordingOf = ({ model, parties = {} }: EvaluationOwner): string | undefined =>
  [model, ...Object.values(parties)].flatMap((one) => (one.kind === 'endpoint' && one.recording) || [])[0]

/** The seeds that an evaluation takes for a sample from its recording; undefined where it draws new ones. */
export async function recordedSeeds(
  { answers }: { answers: Pick<Answers, 'get'> },
  owner: EvaluationOwner,
  sample: Sample,
): Promise<Seeds> {
  const recording = recordingOf(owner)
  const kept = recording === undefined ? null : await answers.get(`${recording}/${keyOf(sample)}`)
  return kept ? (JSON.parse(kept.text) as Seeds) : undefined
}
