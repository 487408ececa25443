/** The record of the translator's agents: the instruction, and whether it was accepted. */
import { isRecord } from '@stateeval/contracts'
import { rejectPlace, type ReadingPlace, extendPlace } from './problem.ts'

interface CaseTranslation {
  instruction: string
  /** The last judgement has the text OK in it, as the released loader asks for. */
  loosely: boolean
  /** It is `<OK>`, or the verdict ok of later versions. */
  strictly: boolean
  /** The instruction is newer than the last judgement. */
  unjudged: boolean
}

interface TranslationMessage {
  role: string
  content: string
}

function readMessages(value: unknown, place: ReadingPlace): TranslationMessage[] {
  if (!Array.isArray(value)) return rejectPlace(place, 'must be a list of messages')
  return value.map((message: unknown, n) => {
    const at = extendPlace(place, n)
    if (!isRecord(message)) return rejectPlace(at, 'must be an object with role and content')
    const { role, content } = message
    if (typeof role !== 'string') return rejectPlace(extendPlace(at, 'role'), 'must be a text')
    if (typeof content !== 'string') return rejectPlace(extendPlace(at, 'content'), 'must be a text')
    return { role, content }
  })
}

/** One entry of `agent_data.json`. Throws a problem that names the field. */
export function readTranslation(value: unknown, place: ReadingPlace): CaseTranslation {
  if (!isRecord(value)) return rejectPlace(place, 'must be an object')
  const generatorAt = extendPlace(place, 'generator_messages')
  const generator = readMessages(value['generator_messages'], generatorAt)
  const last = generator.at(-1)
  if (!last || last.content.trim() === '')
    return rejectPlace(generatorAt, 'has no last message, which is the instruction')
  const judgements = readMessages(value['evaluator_messages'], extendPlace(place, 'evaluator_messages'))
  const judgement = judgements.at(-1)?.content ?? ''
  const answers = (all: readonly TranslationMessage[]) =>
    all.filter(({ role }) => role === 'assistant').length
  return {
    instruction: readTranslationInstruction(last.content),
    loosely: judgement.includes('OK') || readTranslationVerdict(judgement) === 'ok',
    strictly: /<OK>/.test(judgement) || readTranslationVerdict(judgement) === 'ok',
    unjudged: answers(generator) > answers(judgements),
  }
}

/** Later versions answer in JSON. */
function parseJudgement(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const readTranslationVerdict = (judgement: string) => parseJudgement(judgement)?.['verdict']

function readTranslationInstruction(content: string): string {
  const fields = parseJudgement(content)
  const [variables, task] = [fields?.['user_variable_definitions'], fields?.['task_instructions']]
  if (variables === undefined || task === undefined) return content.trim()
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return `<User Variable Definition>\n${text(variables)}\n\n<Task Instructions>\n${text(task)}`
}
