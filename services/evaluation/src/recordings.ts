/**
 * Recordings: a model's answers as JSON lines, the first line about the evaluation, then an answer a line by the key of what
 * was asked. Imported elsewhere, they repeat the evaluation without the model, to the same result.
 */
import { ModelName, ModelSettings, ProblemError, type Recording } from '@stateeval/contracts'
import { faultOfBaseUrl, type KeptAnswer } from '@stateeval/models'
import { sha256 } from '@stateeval/program'
import { checker } from '@stateeval/service-kit'
import type { EvaluationContext } from './context.ts'
import { outcomesOf } from './engine/complete.ts'
import type { SampleOutcome } from './flows/sample-flow.ts'
import type { WritingOutcome } from './flows/writing-flow.ts'
import type { Owner } from './owners/owner.ts'

export interface StoredRecording {
  name: string
  settings: ModelSettings
  answers: number
}
interface Heading {
  recording: 1
  model: { name: string; settings: ModelSettings }
  manifest: string
  options: unknown
}
const answerKeyPattern = /^[0-9a-f]{64}$/

/** Who answered, for what, and the stage whose outcomes say where the answers are kept. */
function recordedIn(owner: Owner): { heading: Heading; stage: string } {
  const { model, options } = owner.kind === 'evaluation' ? owner : (owner.writing ?? {})
  if (model?.kind !== 'endpoint') throw new Error(`${owner.id} asked no model`)
  const manifest = owner.kind === 'evaluation' ? owner.set.manifest : (owner.manifest?.id ?? '')
  const heading: Heading = { recording: 1, model: { name: model.name, settings: model.settings }, manifest, options }
  return { heading, stage: owner.kind === 'evaluation' ? 'samples' : 'tasks' }
}

/** The lines of the recording of an evaluation, or of a build whose tasks a model wrote. */
export async function* recordingOf(context: EvaluationContext, owner: Owner): AsyncGenerator<string> {
  const { heading, stage } = recordedIn(owner)
  yield `${JSON.stringify(heading)}\n`
  const seen = new Set<string>()
  for (const places of await outcomesOf(context, owner, stage, (outcome: SampleOutcome | WritingOutcome) => outcome.places ?? [])) {
    for (const place of places) {
      const kept = seen.has(place) ? null : await context.answers.get(place)
      seen.add(place)
      if (kept) yield `${JSON.stringify(lineOf(kept))}\n`
    }
  }
}
const lineOf = ({ key, text, toolCalls, finish, usage, retries }: KeptAnswer) => ({
  key,
  text,
  ...(toolCalls && { toolCalls }),
  finish,
  usage,
  retries,
})

/** Stores a recording's answers. The problem names the line at fault. */
export async function importRecording(context: EvaluationContext, text: string): Promise<Recording> {
  const refuse = (line: number, says: string): never => {
    throw new ProblemError('unprocessable', `line ${line + 1} of the recording ${says}`, '/text')
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map((line, at): unknown => {
    try {
      return JSON.parse(line)
    } catch {
      return refuse(at, 'is no valid JSON: the file is torn; export it again')
    }
  })
  const heading = values[0] as Partial<Heading> | null
  if (heading?.recording !== 1) refuse(0, 'must be the heading of a recording: {"recording":1,"model":…}')
  const { name, settings } = (heading as Heading).model ?? {}
  if (checker(ModelName).fault(name)) refuse(0, 'names no model')
  const fault = checker(ModelSettings).fault(settings)
  if (fault) refuse(0, `: model.settings${fault.field} ${fault.says}`)
  const wrong = faultOfBaseUrl(settings.baseUrl)
  if (wrong) refuse(0, `: model.settings/baseUrl ${wrong}`)
  const id = `rec_${sha256(text)}`
  const answers = values.slice(1) as KeptAnswer[]
  for (const [at, { key, text: said, usage }] of answers.entries())
    if (!answerKeyPattern.test(key) || typeof said !== 'string' || typeof usage?.promptTokens !== 'number')
      refuse(at + 1, 'is no answer: {"key": …, "text": …, "usage": …}')
  let next = 0
  const lane = async () => {
    for (let at = next++; at < answers.length; at = next++) {
      const answer = answers[at] as KeptAnswer
      await context.answers.put(`${id}/${answer.key}`, { ...lineOf(answer), by: id })
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  await context.recordings.put(id, { name, settings, answers: answers.length })
  return { id, model: name, answers: answers.length, links: { evaluations: '/v1/evaluations' } }
}
