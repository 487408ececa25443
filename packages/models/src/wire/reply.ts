/** Puts a reply together, whether it comes whole or in the pieces of a stream: both are read alike. */
import { maxToolCalls } from '@stateeval/contracts'
import { UnusableResponse } from '../classify.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import {
  buildAnswer,
  readContentText,
  findError,
  readFinish,
  type RawReply,
  describeMissingAnswer,
} from './answer.ts'
import { readValues } from './body.ts'
import { CallCollector } from './calls.ts'
import { longestAnswer, longestVendor } from './limits.ts'
import { toMembers, mergeMembers, measureMembers, toWireText, type WireMembers } from './members.ts'
import { ReplyCopy, type ReplyForm, type StoredReply, restoreResponse } from './stored-reply.ts'
import { count, usageFrom, type UsageListener } from './usage.ts'

/**
 * Members of a message that are read, or that only inform: annotations, audio and tokens are never demanded
 * back.
 */
const readMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'refusal',
  'annotations',
  'audio',
  'parsed',
  'logprobs',
  'token_ids',
  'prompt_token_ids',
  'stop_reason',
])

/** Members in which servers put thoughts as text: DeepSeek, SGLang; vLLM, OpenRouter, Groq; gateways. */
export const thoughtMembers = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'] as const

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A call among the parts of a content, as Anthropic's API has it. */
const listCallsAmongParts = (content: unknown): unknown[] =>
  Array.isArray(content) ? content.filter((part) => toMembers(part)['type'] === 'tool_use') : []

export class ReplyCollector {
  /** True if any part of a reply came. */
  hasBegun = false
  #texts: string[] = []
  #size = 0
  #calls = new CallCollector()
  #others: Record<string, unknown> = {}
  #othersSize = 0
  #thoughts = 0
  #finish = ''
  #usage: unknown
  #isStreamed = false
  #values = 0
  #form: ReplyForm

  constructor(form: ReplyForm) {
    this.#form = form
  }

  /** Takes a whole response, or one event of a stream. Gives whether more of it is kept. */
  add(body: unknown): boolean {
    const { choices, usage, x_groq: groq } = toMembers(body)
    const choice = toMembers(Array.isArray(choices) ? choices[0] : undefined)
    this.#values++
    // Moonshot puts the usage into the choice, Groq into a separate member.
    this.#usage = usage ?? choice['usage'] ?? toMembers(groq)['usage'] ?? this.#usage
    const failure = findError(body) ?? (choice['error'] ? choice : undefined)
    if (failure !== undefined) throw new UnusableResponse('the endpoint answered with an error', failure)
    const delta = choice['delta']
    if (this.#form === 'completions') {
      if (typeof choice['text'] === 'string') this.#takeText(choice['text'])
    } else if (typeof delta === 'object' && delta !== null) {
      this.#isStreamed = true
      this.#take(toMembers(delta), true)
    } else if (typeof choice['message'] === 'object' && choice['message'] !== null && !this.hasBegun)
      this.#take(toMembers(choice['message']), false)
    this.#finish = readFinish(choice['finish_reason']) || this.#finish
    return this.#size <= longestAnswer && !this.#calls.isFull
  }

  #takeText(text: string): void {
    this.hasBegun = true
    this.#texts.push(text)
    this.#size += text.length
  }

  #take(message: WireMembers, isPiece: boolean): void {
    const content = isNothing(message['content'])
      ? (message['refusal'] ?? message['content'])
      : message['content']
    const text = readContentText(content)
    if (text === null)
      throw new UnusableResponse(
        'the endpoint answered with a choices[0].message.content that is not a string',
      )
    this.#takeText(text)
    const calls = {
      ...message,
      tool_calls: [...toList(message['tool_calls']), ...listCallsAmongParts(content)],
    }
    if (isPiece) this.#calls.addPieces(calls)
    else this.#calls.addWhole(calls)
    this.#keep(message, content)
  }

  #keep(message: WireMembers, content: unknown): void {
    const others: Record<string, unknown> = Object.fromEntries(
      Object.entries(message).filter(([name, value]) => !readMembers.has(name) && !isNothing(value)),
    )
    // Mistral's thoughts are parts of the content, and it wants them back there.
    const parts = toList(content).filter((part) => toMembers(part)['type'] === 'thinking')
    if (parts.length > 0) others['content'] = parts
    this.#thoughts +=
      thoughtMembers.map((name) => toWireText(message[name])).find((one) => one !== '')?.length ?? 0
    this.#othersSize += measureMembers(others)
    if (this.#othersSize <= longestVendor) mergeMembers(this.#others, others)
    else this.#others = {}
  }

  /** Gets everything read so far. `isComplete`: the body was whole, or said that nothing follows. */
  raw(isComplete: boolean, isCut: boolean): RawReply {
    const calls = this.#calls.calls()
    if (!this.hasBegun || (this.#finish === '' && !isComplete && !isCut))
      throw new UnusableResponse(
        this.#isStreamed || !isComplete
          ? 'the stream ended before the answer was complete'
          : `the endpoint answered without choices[0].${this.#form === 'chat' ? 'message' : 'text'}`,
      )
    return {
      text: this.#texts.join(''),
      calls,
      finish: this.#finish || (calls.length > 0 ? 'tool_calls' : 'stop'),
      usage: this.#usage,
      others: this.#others,
      thoughts: this.#thoughts,
      isStreamed: this.#isStreamed || this.#values > 1,
      ...((isCut || calls.length > maxToolCalls) && { isCut: true as const }),
    }
  }

  /** True if the reply is paid for: a part of it came, or a count of tokens without any part. */
  get isPaid(): boolean {
    return this.hasBegun || Object.values(toMembers(this.#usage)).some((value) => (count(value) ?? 0) > 0)
  }

  /** Usage of the reply so far, for the books, even if it is of no use. */
  spent(): { usage: unknown; text: string; thoughts: number } {
    return { usage: this.#usage, text: this.#texts.join(''), thoughts: this.#thoughts }
  }
}

interface ReplyReading {
  request: ModelRequest
  hide: (text: string) => string
  spend: UsageListener
}

/**
 * Reads the answer in a response, whole or streamed. Reports the usage even of a reply that cannot be used.
 */
export async function readAnswer(
  response: Response,
  form: ReplyForm,
  { request, hide, spend }: ReplyReading,
): Promise<ModelAnswer> {
  const reply = new ReplyCollector(form)
  const copy = new ReplyCopy()
  try {
    const { raw, unread } = await readRaw(response, reply, copy)
    const answer = buildAnswer(raw, request, hide)
    // A stream may bring a key in pieces, so it is looked for in what was put together, too.
    const isSecret = (body: string) => [body, JSON.stringify(raw)].some((text) => hide(text) !== text)
    const stored = raw.isCut ? null : await copy.store(form, unread, isSecret)
    return { ...answer, ...(stored && { reply: stored }) }
  } finally {
    if (reply.isPaid) spend(usageFrom(reply.spent().usage, request, { toolCalls: [], ...reply.spent() }))
  }
}

/**
 * Reads a stored reply again. An empty answer is taken, because the endpoint was asked again for it then.
 * Null where this reader finds that it is no answer: the endpoint has to be asked.
 */
export async function readStored(
  stored: StoredReply,
  request: Omit<ModelRequest, 'before' | 'settle' | 'spent'>,
): Promise<ModelAnswer | null> {
  const asked: ModelRequest = { ...request, isScored: true, isLastTry: true }
  const reading = { request: asked, hide: (text: string) => text, spend: () => undefined }
  try {
    return await readAnswer(await restoreResponse(stored), stored.form, reading)
  } catch (error) {
    if (error instanceof UnusableResponse || error instanceof SyntaxError) return null
    throw error
  }
}

async function readRaw(
  response: Response,
  reply: ReplyCollector,
  copy: ReplyCopy,
): Promise<{ raw: RawReply; unread: number }> {
  for await (const part of readValues(response, (text) => copy.take(text))) {
    if ('done' in part) return { raw: reply.raw(true, false), unread: part.unread }
    if (typeof part.value === 'string') throw describeMissingAnswer(part.value, 'an answer')
    // Further text would not be kept, so an answer without an end is left here.
    if (!reply.add(part.value)) return { raw: reply.raw(false, true), unread: 0 }
  }
  return { raw: reply.raw(false, false), unread: 0 }
}

const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value] : []
