/** Turns a response from the wire into an answer, or finds that it is unusable. */
import { maxToolCalls, type ModelToolCall } from '@stateeval/contracts'
import { Unusable } from '../classify.ts'
import { completionTokens, promptTokens } from '../estimate.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'

/** A call as received; nothing in it is trusted. */
export type RawCall = { readonly [part in keyof ModelToolCall]?: unknown }
export interface Raw {
  text: string
  calls: readonly RawCall[]
  finish: string
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined
}

/**
 * The maximum length of a stored answer, in characters: twice the maximum of code. Models sometimes repeat
 * themselves endlessly; such an answer would exceed a document, could not be stored, and would be requested
 * again.
 */
export const longestAnswer = 2_000_000
/** The maximum length of the word for why a model stopped. */
const longestFinish = 64
/** Far longer than usual: some endpoints put an encrypted thought into the id of a call. */
const longestId = 65_536
const longestName = 1000

/**
 * The text of a message's content, which is a text, or parts of which some are thoughts; null for anything
 * else.
 */
export function contentText(content: unknown): string | null {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  return (content as ({ type?: unknown; text?: unknown } | null)[])
    .map((part) => (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

/**
 * The error of an endpoint that responds with 200 but without an answer. Of its body, only an error in
 * OpenAI's form is repeated.
 */
export function withoutAnswer(body: unknown, missing: string): Unusable {
  if (typeof body === 'string')
    return new Unusable(
      'the endpoint answered with text instead of JSON; correct baseUrl, which often ends in /v1',
    )
  const error = (body as { error?: unknown } | null)?.error
  return error
    ? new Unusable('the endpoint answered with an error', error)
    : new Unusable(`the endpoint answered without ${missing}`)
}

/** More tokens than one request has: a larger count would spoil the sums and the rates. */
const maxTokens = 1e9
/** A number of tokens that an endpoint reports, if it is one. */
export const count = (value: unknown, otherwise: number) =>
  typeof value === 'number' && value >= 0 && value <= maxTokens ? Math.trunc(value) : otherwise

/** Why the model stopped, if an endpoint reports it as a text. */
export const finishOf = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)

/** Servers that are only nearly compatible give arguments as an object, or leave parts out. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** Calls as far as they are kept: so many, and together with the text as long as an answer may be. */
function keptCalls(
  calls: readonly RawCall[],
  textLength: number,
  hide: (text: string) => string,
): { toolCalls: ModelToolCall[]; cut: boolean } {
  const toolCalls: ModelToolCall[] = []
  let left = longestAnswer - textLength
  let cut = calls.length > maxToolCalls
  const take = (value: unknown, longest = longestAnswer) => {
    const text = hide(textOf(value))
    const part = text.slice(0, Math.min(left, longest))
    left -= part.length
    cut ||= part.length < text.length
    return part
  }
  for (const { id, name, arguments: args } of calls.slice(0, maxToolCalls)) {
    if (left === 0) {
      cut = true
      break
    }
    toolCalls.push({ id: take(id, longestId), name: take(name, longestName), arguments: take(args) })
  }
  return { toolCalls, cut }
}

/** Whether an answer that looks like a failure of the endpoint's has come in each try. */
const isTaken = ({ isScored, isLastTry }: ModelRequest) => isScored === true && isLastTry === true

/** A flood in the place of an answer, which nobody reads: the model's own, if it comes in each try. */
export const floodAnswer = (request: ModelRequest): ModelAnswer | null =>
  isTaken(request)
    ? {
        text: '',
        finish: 'length',
        usage: { requests: 1, promptTokens: promptTokens(request), completionTokens: 0 },
      }
    : null

/**
 * An empty answer that simply stopped may be the endpoint's failure and is requested again. An answer that
 * was cut at its length or filtered is the model's, and is scored. One that is too long to be stored is cut,
 * too. An endpoint may repeat the key anywhere: `hide` replaces it in every text before that is cut, because
 * nobody would recognise a part of a key.
 */
export function answerFrom(raw: Raw, request: ModelRequest, hide: (text: string) => string): ModelAnswer {
  const { calls, usage } = raw
  const whole = hide(raw.text)
  const text = whole.slice(0, longestAnswer)
  const finish = hide(raw.finish)
  const { toolCalls, cut: lacksCalls } = keptCalls(calls, text.length, hide)
  const isEmpty = whole.trim() === '' && toolCalls.length === 0
  const isOwn = finish === 'length' || finish === 'content_filter' || isTaken(request)
  if (isEmpty && !isOwn) throw new Unusable('the endpoint’s answer is empty')
  const cut = text.length < whole.length
  return {
    text,
    ...(toolCalls.length > 0 && { toolCalls }),
    finish: cut || lacksCalls ? 'length' : finish.slice(0, longestFinish),
    usage: {
      requests: 1,
      promptTokens: count(usage?.prompt_tokens, promptTokens(request)),
      completionTokens: count(usage?.completion_tokens, completionTokens(whole, toolCalls)),
    },
  }
}
