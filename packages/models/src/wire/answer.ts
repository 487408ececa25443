/** Turns a response from the wire into an answer, or finds that it is unusable. */
import { maxToolCalls, type ModelToolCall, type VendorMembers } from '@stateeval/contracts'
import { UnusableResponse } from '../classify.ts'
import { estimatePromptTokens } from '../estimate.ts'
import type { ModelAnswer, ModelRequest, ReplyFacts } from '../request.ts'
import type { RawCall } from './calls.ts'
import { finishMeaning, toStoredFinish } from './finish.ts'
import { longestAnswer, longestFinish, longestId, longestName, longestVendor } from './limits.ts'
import { hideInValue, toMembers, measureMembers, toWireText, type WireMembers } from './members.ts'
import { usageFrom } from './usage.ts'

/** A reply as it was read; nothing in it is trusted. */
export interface RawReply {
  text: string
  calls: readonly RawCall[]
  /** Empty if none came. */
  finish: string
  usage: unknown
  /** Members of the message that are not read. */
  others?: WireMembers
  /** Characters of thoughts that came beside the text. */
  thoughts?: number
  /** True if reading stopped before the end of the stream: no more of it is kept. */
  isCut?: true
  /** True if it came in pieces. */
  isStreamed?: boolean
}

/** Types of parts that are text for the reader: OpenAI's two names. */
const textTypes: ReadonlySet<unknown> = new Set(['text', 'output_text', undefined, null])

/**
 * The text of a message's content, which is a text, or parts of which some are thoughts: parts with a text
 * type or without a type, and bare texts; null for anything else.
 */
export function readContentText(content: unknown): string | null {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  const parts: unknown[] | null = Array.isArray(content)
    ? content
    : typeof content === 'object'
      ? [content]
      : null
  return parts === null ? null : parts.map(readPartText).join('')
}

function readPartText(part: unknown): string {
  if (typeof part === 'string') return part
  const { type, text, refusal } = toMembers(part)
  if (type === 'refusal' && typeof refusal === 'string') return refusal
  if (!textTypes.has(type)) return ''
  // Assistants give {text: {value}}.
  return typeof text === 'string' ? text : toWireText(toMembers(text)['value'])
}

/**
 * The error of an endpoint that responds with 200 but without an answer. Of its body, only the text of an
 * error is repeated.
 */
export function describeMissingAnswer(body: unknown, missing: string): UnusableResponse {
  if (typeof body === 'string')
    return new UnusableResponse(
      'the endpoint answered with text instead of JSON; correct baseUrl, which often ends in /v1',
    )
  const error = findError(body)
  return error === undefined
    ? new UnusableResponse(`the endpoint answered without ${missing}`)
    : new UnusableResponse('the endpoint answered with an error', error)
}

/** The error in a body or in a piece of a stream; undefined if it has none. */
export function findError(body: unknown): unknown {
  const [one] = Array.isArray(body) ? (body as unknown[]) : [body]
  const { error, object, code, msg, base_resp: base, choices } = toMembers(one)
  if (error) return one
  if (object === 'error') return one
  // Chinese gateways report errors with 200: {code, msg}, or MiniMax's base_resp.
  if (choices) return undefined
  if (base) return base
  return code !== undefined && typeof msg === 'string' ? one : undefined
}

/** Why the model stopped, if an endpoint reports it as a text. */
export const readFinish = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Calls as far as they are kept: so many, and together with the text as long as an answer may be. */
function selectKeptCalls(
  calls: readonly RawCall[],
  textLength: number,
  { messages }: ModelRequest,
  hide: (text: string) => string,
): { toolCalls: ModelToolCall[]; cut: boolean } {
  const toolCalls: ModelToolCall[] = []
  const ids = new Set<string>()
  let left = longestAnswer - textLength
  let cut = calls.length > maxToolCalls
  const take = (value: string, longest = longestAnswer) => {
    const text = hide(value)
    const part = text.slice(0, Math.min(left, longest))
    left -= part.length
    cut ||= part.length < text.length
    return part
  }
  for (const [at, { id, name, arguments: args }] of calls.slice(0, maxToolCalls).entries()) {
    if (left === 0) {
      cut = true
      break
    }
    const given = take(id, longestId)
    const own = given === '' || ids.has(given) ? inventId(messages.length, at, ids) : given
    ids.add(own)
    toolCalls.push({ id: own, name: take(name, longestName), arguments: take(args) })
  }
  return { toolCalls, cut }
}

/**
 * An id for a call without one, or with that of another call: results name their call. It has nine letters
 * and digits, because Mistral takes no other; the same for the same reply.
 */
function inventId(messages: number, at: number, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const id = `c${(messages % 36 ** 4).toString(36).padStart(4, '0')}${(at + attempt * maxToolCalls).toString(36).padStart(4, '0')}`
    if (!taken.has(id)) return id
  }
}

/** The members that are not read, if there are any and they can be kept. */
function collectVendorMembers(
  { others = {}, calls }: RawReply,
  kept: number,
  hide: (text: string) => string,
) {
  const ofCalls = calls.slice(0, kept).map((call) => call.others)
  const hasOfCalls = ofCalls.some((members) => measureMembers(members) > 0)
  if (measureMembers(others) === 0 && !hasOfCalls) return undefined
  const vendor: VendorMembers = {
    ...(measureMembers(others) > 0 && { message: { ...others } }),
    ...(hasOfCalls && { calls: ofCalls.map((members) => ({ ...members })) }),
  }
  return JSON.stringify(vendor).length > longestVendor ? undefined : hideInValue(vendor, hide)
}

/** How the reply came, before what is missing in it was added. */
const collectFacts = ({ calls, isStreamed = false }: RawReply): ReplyFacts => ({
  isStreamed,
  hasIds: calls.every(({ id }) => id !== '') && new Set(calls.map(({ id }) => id)).size === calls.length,
  hasTypes: calls.every(({ type }) => type !== ''),
})

/** Tells whether an answer that looks like the endpoint's failure is taken: it came in each try. */
const isTaken = ({ isScored, isLastTry }: ModelRequest) => isScored === true && isLastTry === true

/** A flood in the place of an answer, which nobody reads: the model's own, if it comes in each try. */
export const createFloodAnswer = (request: ModelRequest): ModelAnswer | null =>
  isTaken(request)
    ? {
        text: '',
        finish: 'length',
        usage: {
          requests: 1,
          promptTokens: estimatePromptTokens(request),
          completionTokens: 0,
          estimated: 1,
        },
      }
    : null

/**
 * An empty answer that simply stopped may be the endpoint's failure and is requested again. An answer that
 * was cut at its length, filtered or malformed is the model's, and is scored; one that the server interrupted
 * never is. One that is too long to be stored is cut, too. An endpoint may repeat the key anywhere: `hide`
 * replaces it in every text before that is cut, because nobody would recognise a part of a key.
 */
export function buildAnswer(
  raw: RawReply,
  request: ModelRequest,
  hide: (text: string) => string,
): ModelAnswer {
  const { calls, thoughts = 0 } = raw
  const means = raw.isCut ? 'length' : finishMeaning(raw.finish)
  if (means === 'interrupted')
    throw new UnusableResponse(
      `the endpoint interrupted the answer (finish reason ${JSON.stringify(hide(raw.finish).slice(0, longestFinish))})`,
    )
  const whole = hide(raw.text)
  const text = whole.slice(0, longestAnswer)
  const finish = raw.isCut ? 'length' : hide(toStoredFinish(raw.finish || 'stop'))
  const { toolCalls, cut: lacksCalls } = selectKeptCalls(calls, text.length, request, hide)
  const isEmpty = whole.trim() === '' && toolCalls.length === 0
  const isOwn = means === 'length' || means === 'filtered' || means === 'malformed' || isTaken(request)
  if (isEmpty && !isOwn)
    throw new UnusableResponse(
      thoughts > 0
        ? 'the endpoint’s answer is empty: all of its text is in reasoning_content; turn the server’s reasoning parser off, or raise max_tokens'
        : 'the endpoint’s answer is empty',
    )
  const cut = text.length < whole.length
  const vendor = collectVendorMembers(raw, toolCalls.length, hide)
  return {
    text,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(vendor && { vendor }),
    finish: cut || lacksCalls ? 'length' : finish.slice(0, longestFinish),
    ...(request.isProbe && { facts: collectFacts(raw) }),
    ...usageFrom(raw.usage, request, { text: whole, toolCalls, thoughts }),
  }
}
