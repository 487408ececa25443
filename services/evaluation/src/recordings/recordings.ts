/**
 * Recordings: a model's answers as JSON lines. The first line describes the evaluation. Each further line
 * has the key of a question, and the answer or the reason why there was none. After an import, they repeat
 * the evaluation or build without the models, with the same result.
 */
import {
  canonicalJson,
  type ModelSettings,
  ProblemError,
  type RecordedAnswer,
  type RecordedSilence,
  type Recording,
  type RecordingHeading,
} from '@stateeval/contracts'
import type { ProgramOutcome, SampleOutcome } from '@stateeval/flows'
import type { AnswerStore, KeptAnswer, NamedModel, UnansweredQuestion } from '@stateeval/models'
import type { FixedDocuments } from '@stateeval/service-kit'
import {
  type EvaluationOwner,
  opinionStage,
  type JobOwner,
  type OutcomeReader,
  outcomesOf,
} from '@stateeval/jobs'
import {
  formatRecordingLine,
  unpackLines,
  type RecordedAgents,
  type RecordingFile,
  formatSeedsLine,
} from './lines.ts'

/** Imported recordings. */
export interface ImportedRecordings {
  recordings: Pick<FixedDocuments<StoredRecording>, 'get'>
}

export interface StoredRecording {
  /** Absent where it was imported by a version that did not note it. */
  importedAt?: string
  name: string
  settings: ModelSettings
  answers: number
  /** The model of second opinions, where there are any. */
  opinion?: NamedModel
  /** Models that played further parts, by part. */
  parties?: Readonly<Record<string, NamedModel>>
  /** Agents that wrote the instructions of the build. */
  agents?: RecordedAgents
}
/** Questions of an item, and its answers' keys. */
interface ItemQuestions {
  storeKeys: readonly string[]
  unanswered: readonly UnansweredQuestion[]
}
/**
 * Selects the questions of a sample, of a part of a specification, or of a program that agents translated.
 */
const selectItemQuestions = ({
  asking,
  ...rest
}: Partial<ItemQuestions> & Pick<ProgramOutcome, 'asking'>): ItemQuestions => {
  const { storeKeys = [], unanswered = [] } = asking ?? rest
  return { storeKeys, unanswered }
}

const listRecordedQuestions = (
  outcome: Parameters<typeof selectItemQuestions>[0] & Partial<SampleOutcome>,
) => ({
  ...selectItemQuestions(outcome),
  seeds: formatSeedsLine(outcome),
})

/** The model that answered, its work, and the stages whose outcomes name the stored answers. */
interface RecordedStages {
  heading: RecordingHeading
  stages: string[]
}
const selectNamedModel = ({ name, settings }: NamedModel) => ({ name, settings })

function describeRecorded(owner: JobOwner): RecordedStages {
  if (owner.entity === 'evaluation') return describeEvaluated(owner)
  const digest = owner.manifest?.digest ?? ''
  if (owner.origin === 'build' && owner.agents) {
    const { generator, evaluator, coder } = owner.agents
    const others = { evaluator: selectNamedModel(evaluator), coder: selectNamedModel(coder) }
    return {
      heading: { recording: 2, model: selectNamedModel(generator), others, digest, options: owner.build },
      stages: ['programs'],
    }
  }
  if (owner.origin !== 'dataset') throw new Error(`${owner.id} called no model`)
  const { model, options } = owner.writing
  return { heading: { recording: 2, model: selectNamedModel(model), digest, options }, stages: ['tasks'] }
}

function describeEvaluated({
  id,
  model: ownModel,
  opinion,
  parties = {},
  set: { digest },
  options,
}: EvaluationOwner): RecordedStages {
  const by = opinion?.by
  const model = ownModel.kind === 'endpoint' ? ownModel : (by ?? Object.values(parties)[0])
  if (!model) throw new Error(`${id} called no model`)
  const all = Object.entries(parties).map(([part, party]) => [part, selectNamedModel(party)] as const)
  const others = (all.length > 0 || (by && by !== model)) && {
    ...Object.fromEntries(all),
    ...(by && by !== model && { secondOpinion: selectNamedModel(by) }),
  }
  return {
    heading: { recording: 2, model: selectNamedModel(model), ...(others && { others }), digest, options },
    stages: ['samples', opinionStage],
  }
}

/** The lines of the recording of an evaluation, or of a build that asked models. */
export async function* openRecordingLines(
  context: OutcomeReader & { answers: Pick<AnswerStore, 'get'> },
  owner: JobOwner,
): AsyncGenerator<string> {
  const { heading, stages } = describeRecorded(owner)
  // The same heading has the same bytes, in whatever order its options were given.
  yield `${canonicalJson(heading)}\n`
  const writtenKeys = new Set<string>()
  const unanswered = new Map<string, RecordedSilence>()
  for (const stage of stages)
    for (const { seeds, ...outcome } of await outcomesOf(context, owner, stage, listRecordedQuestions)) {
      if (seeds) yield `${JSON.stringify(seeds)}\n`
      for (const { key, refused, refusal, reason, unrecorded } of outcome.unanswered)
        unanswered.set(key, {
          key,
          unanswered: reason,
          ...(refused && { refused }),
          ...(refusal && { refusal }),
          ...(unrecorded && { unrecorded }),
        })
      for (const storeKey of outcome.storeKeys) {
        const answer = writtenKeys.has(storeKey) ? null : await context.answers.get(storeKey)
        writtenKeys.add(storeKey)
        if (!answer) continue
        writtenKeys.add(answer.key)
        yield `${JSON.stringify(formatRecordingLine(answer))}\n`
      }
    }
  for (const [key, line] of unanswered) if (!writtenKeys.has(key)) yield `${JSON.stringify(line)}\n`
}
const nothing = {
  text: '',
  finish: 'unanswered',
  usage: { requests: 0, promptTokens: 0, completionTokens: 0 },
  retries: 0,
}

/** The store of recordings' lines. */
export interface RecordingStore {
  now: () => Date
  answers: Pick<AnswerStore, 'put'>
  recordings: Pick<FixedDocuments<StoredRecording>, 'put'>
}

/** Stores a recording's lines. */
export async function importRecording(
  context: RecordingStore,
  { id, heading, count, pieces, agents }: RecordingFile,
): Promise<Recording> {
  const { name, settings } = heading.model
  const { secondOpinion: opinion, evaluator: _evaluator, coder: _coder, ...parties } = heading.others ?? {}
  for (const piece of pieces) {
    const lines = (await unpackLines(piece)).values()
    const partition = async () => {
      for (const line of lines) await context.answers.put(`${id}/${line.key}`, toKeptAnswer(line, id))
    }
    await Promise.all(Array.from({ length: 8 }, partition))
  }
  await context.recordings.put(id, {
    importedAt: context.now().toISOString(),
    name,
    settings,
    answers: count,
    ...(opinion && { opinion }),
    ...(Object.keys(parties).length > 0 && { parties }),
    ...(agents && { agents }),
  })
  return { id, model: name, answers: count, links: { evaluations: '/v1/evaluations' } }
}

function toKeptAnswer(line: RecordedAnswer | RecordedSilence, by: string): KeptAnswer {
  if (!('unanswered' in line)) return { ...formatRecordingLine(line), by }
  const { key, unanswered: reason, refused = false, ...rest } = line
  return { ...nothing, key, by, unanswered: { refused, reason, ...rest } }
}

export const isRecording = (name: string) => /^rec_[0-9a-f]{64}$/.test(name)

/** An imported recording; throws a problem with that field if there is none. */
export async function requireRecording(
  { recordings }: ImportedRecordings,
  id: string,
  field = '/recording',
): Promise<StoredRecording> {
  const recording = await recordings.get(id)
  if (recording) return recording
  throw new ProblemError(
    'unprocessable',
    `there is no recording ${id}; POST /v1/recordings imports one`,
    field,
  )
}
