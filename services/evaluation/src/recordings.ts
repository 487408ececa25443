/**
 * Recordings: a model's answers as JSON lines, the first line about the evaluation, then a line for each question by the key of
 * what was asked: the answer, or why there was none. Imported elsewhere, they repeat the evaluation without the model, to the
 * same result.
 */
import type { ModelSettings, RecordedAnswer, RecordedSilence, Recording, RecordingHeading } from '@stateeval/contracts'
import type { KeptAnswer } from '@stateeval/models'
import { sha256 } from '@stateeval/program'
import type { Unanswered } from './asking/question.ts'
import type { EvaluationContext } from './context.ts'
import { outcomesOf } from './engine/complete.ts'
import type { SampleOutcome } from './flows/sample-flow.ts'
import type { WritingOutcome } from './flows/writing-flow.ts'
import { type Owner, opinionStage } from './owners/owner.ts'
import { readRecording } from './recording-lines.ts'

export interface StoredRecording {
  name: string
  settings: ModelSettings
  answers: number
  /** Who gave the second opinions, where there are any. */
  opinion?: { name: string; settings: ModelSettings }
}
/** What an item says of its questions. */
interface Asked {
  places: readonly string[]
  unanswered: readonly Unanswered[]
}
const askedIn = ({ places = [], unanswered = [] }: Pick<SampleOutcome | WritingOutcome, 'places' | 'unanswered'>): Asked => ({
  places,
  unanswered,
})

/** Who answered, for what, and the stages whose outcomes say where the answers are kept. */
function recordedIn(owner: Owner): { heading: RecordingHeading; stages: string[] } {
  const { model: own, options } = owner.kind === 'evaluation' ? owner : (owner.writing ?? {})
  const opinion = owner.kind === 'evaluation' ? owner.opinion?.by : undefined
  const model = own?.kind === 'endpoint' ? own : opinion
  if (!model) throw new Error(`${owner.id} asked no model`)
  const manifest = owner.kind === 'evaluation' ? owner.set.manifest : (owner.manifest?.id ?? '')
  const named = ({ name, settings }: typeof model) => ({ name, settings })
  const others = opinion && opinion !== model && { secondOpinion: named(opinion) }
  const heading: RecordingHeading = { recording: 1, model: named(model), ...(others && { others }), manifest, options }
  return { heading, stages: owner.kind === 'evaluation' ? ['samples', opinionStage] : ['tasks'] }
}

/** The lines of the recording of an evaluation, or of a build in which models were asked. */
export async function* recordingOf(context: EvaluationContext, owner: Owner): AsyncGenerator<string> {
  const { heading, stages } = recordedIn(owner)
  yield `${JSON.stringify(heading)}\n`
  const seen = new Set<string>()
  const unanswered = new Map<string, RecordedSilence>()
  for (const stage of stages)
    for (const asked of await outcomesOf(context, owner, stage, askedIn)) {
      for (const { key, refused, reason } of asked.unanswered) unanswered.set(key, { key, unanswered: reason, ...(refused && { refused }) })
      for (const place of asked.places) {
        const kept = seen.has(place) ? null : await context.answers.get(place)
        seen.add(place)
        if (!kept) continue
        seen.add(kept.key)
        yield `${JSON.stringify(lineOf(kept))}\n`
      }
    }
  for (const [key, line] of unanswered) if (!seen.has(key)) yield `${JSON.stringify(line)}\n`
}
const lineOf = ({ key, text, toolCalls, finish, usage, retries }: KeptAnswer | RecordedAnswer): RecordedAnswer => ({
  key,
  text,
  ...(toolCalls && { toolCalls }),
  finish,
  usage,
  retries,
})
const nothing = { text: '', finish: 'unanswered', usage: { requests: 0, promptTokens: 0, completionTokens: 0 }, retries: 0 }

/** Stores a recording's lines. The problem names the line at fault. */
export async function importRecording(context: EvaluationContext, text: string): Promise<Recording> {
  const { heading, answers, unanswered } = readRecording(text)
  const { name, settings } = heading.model
  const opinion = heading.others?.['secondOpinion']
  const id = `rec_${sha256(text)}`
  const lines: KeptAnswer[] = [
    ...answers.map((line) => ({ ...lineOf(line), by: id })),
    ...unanswered.map(({ key, unanswered: reason, refused = false }) => ({ ...nothing, key, by: id, unanswered: { refused, reason } })),
  ]
  let next = 0
  const lane = async () => {
    for (let at = next++; at < lines.length; at = next++) {
      const line = lines[at] as KeptAnswer
      await context.answers.put(`${id}/${line.key}`, line)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  await context.recordings.put(id, { name, settings, answers: answers.length, ...(opinion && { opinion }) })
  return { id, model: name, answers: answers.length, links: { evaluations: '/v1/evaluations' } }
}
