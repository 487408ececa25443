/**
 * The calls of a dialogue beside those of the reference. Ids and tensors stand as tokens that say where they
 * come from, so that calls on the same things have the same text, whatever the world named them.
 */
import {
  canonicalJson,
  type Case,
  findInfiniteNumber,
  isRecord,
  type JsonValue,
  type JsonObject,
  findRefusal,
  findDeepMember,
  type Transcript,
  type WorldState,
} from '@stateeval/contracts'
import { interpret, isTensorLike, type Scenario } from '@stateeval/program'
import { resultTool } from '../result-tool.ts'

export interface ComparedCall {
  api: string
  args: JsonObject
  output: JsonValue
  /** The API refused it. */
  isRefused: boolean
}
export interface ComparedCalls {
  expected: ComparedCall[]
  made: ComparedCall[]
  /** Calls of the reference that were made, each once, in whatever order. */
  reached: number
}

/** Things of a world by their names there, with where they come from. */
class ThingTokens {
  readonly #tokens = new Map<string, string>()
  readonly #keyOf: (value: JsonValue) => string | undefined

  /** `formatComparedCallKey`: the name of a thing; undefined for what is none. */
  constructor(keyOf: (value: JsonValue) => string | undefined) {
    this.#keyOf = keyOf
  }
  add(key: string, token: string) {
    if (!this.#tokens.has(key)) this.#tokens.set(key, token)
  }
  /** Things that an answer shows for the first time come from it. */
  learn(value: JsonValue, token: string) {
    const key = this.#keyOf(value)
    if (key !== undefined) this.add(key, token)
    else if (Array.isArray(value)) value.forEach((item, at) => this.learn(item, `${token}[${at}]`))
    else if (isRecord(value))
      for (const [name, item] of Object.entries(value)) this.learn(item, `${token}.${name}`)
  }
  put(value: JsonValue): JsonValue {
    const key = this.#keyOf(value)
    const token = key === undefined ? undefined : this.#tokens.get(key)
    if (token !== undefined) return token
    if (Array.isArray(value)) return value.map((item) => this.put(item))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.put(item)]))
  }
}

/** Tokens of tensors, which are known by their values; those of variables have their names. */
export function createTensorTokens(variables: Readonly<Record<string, JsonValue>>): ThingTokens {
  const tokens = new ThingTokens((value) => (isTensorLike(value) ? canonicalJson(value) : undefined))
  for (const [name, value] of Object.entries(variables))
    if (isTensorLike(value)) tokens.add(canonicalJson(value), `<${name}>`)
  return tokens
}

const formatAnswerToken = (at: number) => `<answer ${at + 1}>`

/** @param input its place in the case */
export function compareCalls(
  c: Case,
  input: number,
  scenario: Scenario,
  { messages }: Transcript,
  world: WorldState | null,
): ComparedCalls {
  const expected = listGradedCalls(c, input, scenario)
  const ids = new Set([...(world?.ids.initial ?? []), ...(world?.ids.created ?? [])])
  const tensors = new Set(scenario.handles ? Object.keys(c.oracles[input]?.input.variables ?? {}) : [])
  const tokens = new ThingTokens((value) => {
    if (typeof value === 'string') return ids.has(value) || tensors.has(value) ? value : undefined
    return isRecord(value) && typeof value['tensor'] === 'string' && tensors.has(value['tensor'])
      ? value['tensor']
      : undefined
  })
  world?.ids.initial.forEach((id, n) => tokens.add(id, `<initial ${n + 1}>`))
  for (const name of tensors) tokens.add(name, `<${name}>`)
  const left = new Map(expected.map((call, at) => [at, formatComparedCallKey(call)]))
  const made = readTranscriptCalls(messages).map((call, at): ComparedCall => {
    const { api, args, isRefused } = call
    const compared = { api, args: tokens.put(args) as JsonObject, isRefused }
    const key = formatComparedCallKey(compared)
    const match = isRefused ? undefined : [...left].find(([, other]) => other === key)?.[0]
    if (match !== undefined) left.delete(match)
    if (scenario.handles) for (const name of listTensorNames(call.output)) tensors.add(name)
    tokens.learn(call.output, match === undefined ? `<other answer ${at + 1}>` : formatAnswerToken(match))
    return { ...compared, output: tokens.put(call.output) }
  })
  return { expected, made, reached: expected.length - left.size }
}

/** An argument that is null is left out. */
const formatComparedCallKey = ({ api, args }: Pick<ComparedCall, 'api' | 'args'>) =>
  canonicalJson([api, Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))])

function listGradedCalls({ program, oracles }: Case, input: number, scenario: Scenario): ComparedCall[] {
  const oracle = oracles[input]
  if (!oracle) return []
  const calls: Omit<ComparedCall, 'isRefused'>[] = []
  const { world } = interpret(program, scenario, oracle.input, ({ api }, { args, output = null }) =>
    calls.push({ api, args: args, output }),
  )
  const ids = new Set([...world.ids.initial, ...world.ids.created])
  const tokens = new ThingTokens((value) => {
    if (typeof value === 'string') return ids.has(value) ? value : undefined
    return isTensorLike(value) ? canonicalJson(value) : undefined
  })
  world.ids.initial.forEach((id, n) => tokens.add(id, `<initial ${n + 1}>`))
  for (const [name, value] of Object.entries(oracle.input.variables))
    if (isTensorLike(value)) tokens.add(canonicalJson(value), `<${name}>`)
  return calls.map(({ api, args, output }, at) => {
    const compared = { api, args: tokens.put(args) as JsonObject }
    tokens.learn(output, formatAnswerToken(at))
    return { ...compared, output: tokens.put(output), isRefused: false }
  })
}

/** The calls of a transcript with their answers. */
function readTranscriptCalls(messages: Transcript['messages']): ComparedCall[] {
  const answers = new Map<number, string>()
  let made = 0
  let answered = 0
  const calls: { api: string; text: string }[] = []
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const { name, arguments: text } of message.toolCalls ?? []) {
        calls.push({ api: name, text })
        made++
      }
    else if (message.role === 'tool' && answered < made) answers.set(answered++, message.content)
  }
  const submitted = calls.findLastIndex(({ api }) => api === resultTool)
  return calls.flatMap(({ api, text }, at) => {
    // Calls after RESULT were not made, and neither was what a limit cut off.
    if (api === resultTool || (!answers.has(at) && at > submitted)) return []
    // Nobody read the answers to calls in front of RESULT in one reply.
    const content = answers.get(at) ?? 'null'
    const isRefused = findRefusal(content) !== null
    return [
      { api, args: parseLooseObject(text), output: isRefused ? content : parseLooseJson(content), isRefused },
    ]
  })
}

/** Arguments that no world takes stay a text: nothing of it is compared. */
export function parseLooseJson(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue
    return findDeepMember(value) === null && findInfiniteNumber(value) === null ? value : text
  } catch {
    return text
  }
}
const parseLooseObject = (text: string): JsonObject => {
  const value = parseLooseJson(text)
  return isRecord(value) ? value : {}
}

function listTensorNames(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(listTensorNames)
  return isRecord(value) && typeof value['tensor'] === 'string' ? [value['tensor']] : []
}
