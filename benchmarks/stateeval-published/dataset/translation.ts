/** The record of the translator's agents: the instruction, and whether it was accepted. */
import { isRecord } from '@stateeval/contracts'
import { bad, type Place, within } from './problem.ts'

export interface Translation {
  instruction: string
  /** The last judgement has the text OK in it, as the released loader asks for. */
  loosely: boolean
  /** It is `<OK>`, or the verdict ok of later versions. */
  strictly: boolean
  /** The instruction is newer than the last judgement. */
  unjudged: boolean
}

interface Message {
  role: string
  content: string
}

function messages(value: unknown, place: Place): Message[] {
  if (!Array.isArray(value)) return bad(place, 'must be a list of messages')
  return value.map((message: unknown, n) => {
    const at = within(place, n)
    if (!isRecord(message)) return bad(at, 'must be an object with role and content')
    const { role, content } = message
    if (typeof role !== 'string') return bad(within(at, 'role'), 'must be a text')
    if (typeof content !== 'string') return bad(within(at, 'content'), 'must be a text')
    return { role, content }
  })
}

/** One entry of `agent_data.json`. Throws a problem that names the field. */
export function readTranslation(value: unknown, place: Place): Translation {
  if (!isRecord(value)) return bad(place, 'must be an object')
  const generatorAt = within(place, 'generator_messages')
  const generator = messages(value['generator_messages'], generatorAt)
  const last = generator.at(-1)
  if (!last || last.content.trim() === '')
    return bad(generatorAt, 'has no last message, which is the instruction')
  const judgements = messages(value['evaluator_messages'], within(place, 'evaluator_messages'))
  const judgement = judgements.at(-1)?.content ?? ''
  const answers = (all: readonly Message[]) => all.filter(({ role }) => role === 'assistant').length
  return {
    instruction: instructionOf(last.content),
    loosely: judgement.includes('OK') || verdictOf(judgement) === 'ok',
    strictly: /<OK>/.test(judgement) || verdictOf(judgement) === 'ok',
    unjudged: answers(generator) > answers(judgements),
  }
}

/** Later versions answer in JSON. */
function json(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const verdictOf = (judgement: string) => json(judgement)?.['verdict']

function instructionOf(content: string): string {
  const fields = json(content)
  const [variables, task] = [fields?.['user_variable_definitions'], fields?.['task_instructions']]
  if (variables === undefined || task === undefined) return content.trim()
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return `<User Variable Definition>\n${text(variables)}\n\n<Task Instructions>\n${text(task)}`
}
