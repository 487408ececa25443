/** The published mock as a state machine in TypeScript: what the harness's Python is held against. */
import type {
  Expr,
  JsonValue,
  JsonObject,
  Program,
  VariableReference,
  ResultEntry,
  ProgramStep,
} from '@stateeval/contracts'
import { isCall } from '@stateeval/program'
import { library } from '../../run/voice.ts'

type MockSpeech = JsonObject & { text: string; duration: number; transitions: JsonValue[] }

/** Creates a recording of a user's speech. */
export const createSpeech = (text: string): MockSpeech => ({
  text,
  voice_name: 'user_voice',
  stability: null,
  similarity_boost: null,
  style: null,
  duration: 16,
  transitions: [],
  is_speech: true,
})

/** The program fails in the mock, or asks for what it has not. */
class MockRefusal extends Error {}
function refuseInMock(): never {
  throw new MockRefusal()
}

const isKnown = (name: JsonValue | undefined) => library.some(({ voice_name }) => voice_name === name)
const is = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null

function listHits({
  search_name: name,
  search_category: category,
  search_gender: gender,
}: JsonObject): JsonValue {
  if (is(name)) {
    const voices = library.filter(({ voice_name }) => voice_name === name)
    return voices.length > 0 ? voices.map((one) => ({ ...one })) : null
  }
  if (!is(category) && !is(gender)) refuseInMock()
  return library
    .filter((one) => (!is(category) || one.category === category) && (!is(gender) || one.gender === gender))
    .toSorted((a, b) => (a.voice_name < b.voice_name ? -1 : 1))
    .map((one) => ({ ...one }))
}

function extendSpeech(speech: MockSpeech, name: string, parameters: JsonObject): MockSpeech {
  const copy = structuredClone(speech)
  copy.transitions.push([name, parameters])
  return copy
}

type MockCalls = { speech: JsonValue; voice: JsonValue }[]

function call(api: string, args: JsonObject, calls: MockCalls): JsonValue {
  const { voice_name: voice = null, text = null } = args
  const speech = args['input_speech'] as MockSpeech
  switch (api) {
    case 'search_voice_library':
      return listHits(args)
    case 'text_to_speech': {
      const { stability = null, similarity_boost = null, style = null } = args
      const values = { voice_name: voice, stability, similarity_boost, style }
      return { text, ...values, duration: 16, transitions: [['text_to_speech', values]], is_speech: true }
    }
    case 'speech_to_speech':
      if (!isKnown(voice)) refuseInMock()
      return { ...extendSpeech(speech, api, { voice_name: voice }), voice_name: voice }
    case 'speech_to_text': {
      const diarize = args['diarize'] === true
      speech.transitions.push([api, { diarize }])
      return { text: speech.text, diarize }
    }
    case 'isolate_audio':
      return { ...extendSpeech(speech, api, {}), duration: speech.duration / 2 }
    case 'make_outbound_call':
      calls.push({ speech, voice })
      return isKnown(voice) ? true : refuseInMock()
    default:
      return refuseInMock()
  }
}

/** RESULT and the calls placed, as they are at the end; null where the program fails. */
export function playMock(
  program: Program,
  variables: Readonly<Record<string, JsonValue>>,
): { result: JsonValue; calls: MockCalls } | null {
  const env = new Map<string, JsonValue>(Object.entries(structuredClone(variables)))
  const calls: MockCalls = []
  const read = ({ variable, path }: Pick<VariableReference, 'variable' | 'path'>): JsonValue => {
    let value: JsonValue | undefined = env.get(variable)
    for (const key of path)
      value =
        is(value) && typeof value === 'object'
          ? (value as Record<string | number, JsonValue>)[key]
          : refuseInMock()
    return value === undefined ? refuseInMock() : value
  }
  const valueOf = (expr: Expr): JsonValue => {
    if (expr.kind === 'reference') return read(expr)
    return expr.kind === 'literal' ? (expr.value as JsonValue) : refuseInMock()
  }
  const step = (one: ProgramStep) => {
    if (!isCall(one)) return refuseInMock()
    const args = Object.entries(one.args).map(([name, value]) => [name, valueOf(value)])
    const output = call(one.api, Object.fromEntries(args) as JsonObject, calls)
    if (one.binds) env.set(one.binds, output)
  }
  const end = (entries: readonly ResultEntry[]) => {
    const values = entries.map(({ value }) => read(value))
    return { result: values.length === 1 ? values[0]! : values, calls }
  }
  try {
    program.body.forEach(step)
    if (!program.branch) return end(program.result ?? [])
    const { condition, then, otherwise } = program.branch
    const value = read(condition)
    const measured =
      condition.measure === 'count' ? (Array.isArray(value) ? value.length : refuseInMock()) : value
    const block = measured === env.get(condition.equals) ? then : otherwise
    block.steps.forEach(step)
    return end(block.result)
  } catch (error) {
    if (error instanceof MockRefusal) return null
    throw error
  }
}
