/** Sequences of calls with what a live API answered, and how far a model predicts them. */
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { drawCall } from '../draw.ts'
import type { WorldModel } from '../model.ts'
import { getIdentity } from '../predict/items.ts'
import { type ModelCall, predictCall } from '../predict/predict.ts'
import { type AnswerDifference, compareAnswers, ServerNames } from '../renaming.ts'
import { buildRequest, isSuccess, type LiveCaller } from '../request.ts'
import { emptyState, type ModelState } from '../state.ts'

interface TranscriptStep {
  call: ModelCall
  status: number
  body?: JsonValue
}
/** One sequence, from an empty world. */
export type CallTranscript = readonly TranscriptStep[]

/** The first difference between prediction and answer at one step. */
export interface StepDifference {
  step: number
  operation: string
  /** `refused` or `accepted`: the API decided otherwise, and the worlds have parted. */
  kind: AnswerDifference['kind'] | 'status' | 'refused' | 'accepted'
  place: string
  expected?: JsonValue
  actual?: JsonValue
}
interface ReplayedTranscript {
  calls: number
  agreed: number
  differences: StepDifference[]
}

interface ReplayCursor {
  state: ModelState
  names: ServerNames
}

/** Compares one answer with its prediction; moves the cursor on. */
function replayStep(
  model: WorldModel,
  cursor: ReplayCursor,
  { call, ...actual }: TranscriptStep,
  step: number,
) {
  const prediction = predictCall(model, cursor.state, call)
  const before = cursor.state
  cursor.state = prediction.state
  const note = (
    kind: StepDifference['kind'],
    place = '',
    values: Pick<StepDifference, 'expected' | 'actual'> = {},
  ) => ({
    step,
    operation: call.operation,
    kind,
    place,
    ...values,
  })
  const statuses = { expected: prediction.status, actual: actual.status }
  if (prediction.ok !== isSuccess(actual)) return [note(prediction.ok ? 'refused' : 'accepted', '', statuses)]
  const found: StepDifference[] = prediction.status === actual.status ? [] : [note('status', '', statuses)]
  if (!prediction.ok) return found
  if (prediction.state.items.length < before.items.length)
    releaseGone(model, cursor.names, before, prediction.state)
  const differences = compareAnswers(
    prediction.answer,
    actual.body,
    cursor.names,
    new Set(prediction.unordered),
  )
  return [...found, ...differences.map(({ kind, place, ...values }) => note(kind, place, values))]
}
/** Frees the ids of items that are gone. */
function releaseGone(model: WorldModel, names: ServerNames, before: ModelState, after: ModelState): void {
  const kept = new Set(after.items.map(({ key }) => key))
  for (const item of before.items) if (!kept.has(item.key)) names.release(String(getIdentity(model, item)))
}
const hasParted = (differences: readonly StepDifference[]) =>
  differences.some(({ kind }) => kind === 'refused' || kind === 'accepted')

/** Replays a transcript; ends where the worlds part, and counts the calls after it as differing. */
export function replayTranscript(model: WorldModel, transcript: CallTranscript): ReplayedTranscript {
  const cursor: ReplayCursor = { state: emptyState, names: new ServerNames() }
  const result: ReplayedTranscript = { calls: transcript.length, agreed: 0, differences: [] }
  for (const [n, step] of transcript.entries()) {
    const differences = replayStep(model, cursor, step, n)
    result.differences.push(...differences)
    if (differences.length === 0) result.agreed++
    if (hasParted(differences)) break
  }
  return result
}

/** The transcript before the first call of an operation that the model lacks. */
export function cutTranscript(model: WorldModel, transcript: CallTranscript): CallTranscript {
  const end = transcript.findIndex(({ call }) => !Object.hasOwn(model.operations, call.operation))
  return end < 0 ? transcript : transcript.slice(0, end)
}

/** The replays of several transcripts together. */
export function replayAll(model: WorldModel, transcripts: readonly CallTranscript[]): ReplayedTranscript {
  const all = transcripts.map((transcript) => replayTranscript(model, transcript))
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    agreed: all.reduce((sum, { agreed }) => sum + agreed, 0),
    differences: all.flatMap(({ differences }) => differences),
  }
}

export interface RecordOptions {
  length: number
  prefix: string
  /** The share of calls that should be refused. */
  faults: number
}

/** Draws calls of the model and sends them to an API whose world is empty; ends where the worlds part. */
export async function recordTranscript(
  model: WorldModel,
  send: LiveCaller,
  rng: RandomSource,
  { length, prefix, faults }: RecordOptions,
): Promise<CallTranscript> {
  const cursor: ReplayCursor = { state: emptyState, names: new ServerNames() }
  const transcript: TranscriptStep[] = []
  for (let n = 0; n < length; n++) {
    const call = rng.chance(faults)
      ? drawRepeatedCall(model, transcript, cursor, rng)
      : drawCall(model, cursor.state, rng, { prefix, watched: listWatched(model, transcript.at(-1)) })
    if (!call) continue
    const args = cursor.names.resolve(call.args) as JsonObject
    const answer = await send(buildRequest(model, { operation: call.operation, args }))
    const step = { call, status: answer.status, ...(answer.body !== undefined && { body: answer.body }) }
    transcript.push(step)
    if (hasParted(replayStep(model, cursor, step, n))) break
  }
  return transcript
}

/** An earlier write once more, or an earlier call on something that is gone. */
function drawRepeatedCall(
  model: WorldModel,
  transcript: CallTranscript,
  { state, names }: ReplayCursor,
  rng: RandomSource,
): ModelCall | null {
  const again = transcript.filter(({ call }) => {
    const { effect, target, parents } = model.operations[call.operation]!
    const isWrite = effect === 'create' || effect === 'update' || effect === 'replace'
    const namesItem = target !== undefined || parents !== undefined
    const isTold = isWrite || (namesItem && !predictCall(model, state, call).ok)
    return isTold && names.isCurrent(call.args)
  })
  return again.length > 0 ? rng.pick(again).call : null
}

/** Types on which the last call may have had an effect. */
function listWatched(model: WorldModel, last: TranscriptStep | undefined): string[] {
  const { effect, type = '' } = (last && model.operations[last.call.operation]) ?? {}
  if (effect === undefined || effect === 'read' || effect === 'list' || effect === 'search') return []
  const others = Object.entries(model.types)
    .filter(
      ([, { fields, parent }]) =>
        parent === type || Object.values(fields).some(({ refers }) => refers === type),
    )
    .map(([name]) => name)
  return effect.startsWith('delete') && others.length > 0 ? others : [type, ...others]
}
