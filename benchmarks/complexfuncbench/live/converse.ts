/** A dialogue with the world itself: each call goes to an open session, and the model reads what the world answers. */
import type { Message } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import type { BeginDecision } from '../dialogue/decisions.ts'
import { hear, NotScored, type Silence, silenceOf, spoken, type Talk, unexpected } from '../dialogue/talk.ts'
import { judgeText } from '../judge/answer.ts'
import { NoJson, readJson } from '../python/read.ts'
import { isDict } from '../python/value.ts'
import { dumps } from '../python/write.ts'
import type { Runner, WrittenCall } from '../runner/runner.ts'
import { wireName } from '../travel/function.ts'
import type { LiveEnd } from './decisions.ts'
import type { LivePart } from './case.ts'

const session = 0

interface Parts {
  live: LivePart
  conversation: Conversation
  runner: Runner
  limits: BeginDecision['limits']
}

/** The end, and the place of the observation of the world. */
export function converseLive(parts: Parts, talk: Talk): { end: LiveEnd; run: number } {
  open(parts.live, talk)
  const talked = talkToEnd(parts, talk)
  const run = close(talk)
  const { query } = parts.conversation
  const { text, ...end } = talked
  const dialogue = () => historyOf(talk.messages.slice(0, -1))
  return {
    run,
    end: { kind: 'live end', ...end, ...(text !== null && judgeText(talk, text, { query, dialogue })) },
  }
}

const historyOf = (messages: readonly Message[]) =>
  JSON.stringify(messages.filter(({ role }) => role !== 'system'))

function open({ world }: LivePart, { fact }: Talk): void {
  const { seed, hidden = [] } = world
  const none = fact(
    { kind: 'open', session, world: 'travel', input: { variables: {}, world: { seed, hidden } } },
    (event): { none: Silence } | null =>
      event.kind === 'opened' ? null : (silenceOf(event) ?? unexpected(event)),
  )
  if (none) throw new NotScored(none.none.reason, none.none.detail)
}

function close({ fact }: Talk): number {
  const closed = fact({ kind: 'close', session }, (event): { run: number } | { none: Silence } =>
    event.kind === 'closed' ? { run: event.run } : (silenceOf(event) ?? unexpected(event)),
  )
  if ('none' in closed) throw new NotScored(closed.none.reason, closed.none.detail)
  return closed.run
}

type Talked = Omit<LiveEnd, 'kind'> & { text: string | null }

function talkToEnd({ conversation, runner, limits }: Parts, talk: Talk): Talked {
  const opening = runner.open(conversation)
  const toolChoice = runner.usesTools && ({ toolChoice: 'auto' } as const)
  let need = { ...opening, ...toolChoice }
  const counts = { steps: 0, calls: 0, refused: 0 }
  let tokens = 0
  for (let replies = 0; ; replies++) {
    const heard = hear(talk, need)
    if ('none' in heard) {
      const { reason, detail } = heard.none
      if (reason !== 'exhausted' || replies === 0) throw new NotScored(reason, detail)
      return { ...counts, by: 'silence', message: 'the model said nothing more', text: null }
    }
    const written = runner.read(spoken(talk, replies).message, conversation)
    const text = spoken(talk, replies).message.content
    if (written.length === 0) return { ...counts, by: 'text', message: '', text }
    tokens += heard.tokens
    counts.calls += written.length
    counts.steps++
    const exceeded =
      replies + 1 >= limits.turns
        ? `${limits.turns} replies`
        : counts.calls > limits.calls
          ? `${limits.calls} calls`
          : tokens > limits.tokens
            ? `${limits.tokens} tokens`
            : null
    if (exceeded !== null)
      return { ...counts, by: 'limit', message: `the dialogue was ended at ${exceeded}`, text: null }
    const made = makeCalls(written, conversation, talk)
    counts.refused += made.refused
    if (made.ended) return { ...counts, by: 'limit', message: 'a call took too long', text: null }
    need = { append: runner.answer(written, made.contents), ...toolChoice }
  }
}

/** What became of the calls of a round, as a fact. */
type Outcome = { refused: number } | { refused: number; ended: true } | { none: Silence }

/**
 * Contents are there at the time of their event alone, when they are appended to the dialogue; they are too large for facts. Later on
 * the transcript has them.
 */
function makeCalls(
  written: readonly WrittenCall[],
  conversation: Conversation,
  { fact }: Talk,
): { contents: string[]; refused: number; ended?: true } {
  const faults = written.map((call) => faultOf(call, conversation))
  const sound = written.filter((_, at) => faults[at] === null)
  const own = faults.filter((fault) => fault !== null).length
  let answered: string[] = []
  const outcome: Outcome =
    sound.length === 0
      ? { refused: 0 }
      : fact(
          {
            kind: 'call',
            session,
            calls: sound.map(({ id, name, arguments: text }) => ({
              id,
              name: wireName(name),
              arguments: argumentsOf(text),
            })),
          },
          (event): Outcome => {
            if (event.kind === 'ended') return { refused: 0, ended: true }
            if (event.kind !== 'called') return silenceOf(event) ?? unexpected(event)
            answered = event.results.map(({ content }) => asPublished(content))
            return { refused: event.results.filter(({ error }) => error).length }
          },
        )
  if ('none' in outcome) throw new NotScored(outcome.none.reason, outcome.none.detail)
  let next = 0
  const contents = faults.map((fault) => fault ?? answered[next++] ?? '')
  return { contents, refused: own + outcome.refused, ...('ended' in outcome && { ended: true as const }) }
}

/** The form in which golden responses are told: the same answer is then the same text under every policy. */
function asPublished(content: string): string {
  try {
    return dumps(readJson(content), { ascii: false })
  } catch (error) {
    if (error instanceof NoJson) return content
    throw error
  }
}

const argumentsOf = (text: string) => (text.trim() === '' ? '{}' : text)

/** What keeps a call from the world, as the world would say it; null: nothing. */
export function faultOf(
  { name, arguments: text, broken }: WrittenCall,
  { functions }: Conversation,
): string | null {
  const says = (message: string) => JSON.stringify({ status: false, message })
  if (broken !== undefined) return says(`This is no call: ${broken}.`)
  if (!functions.some((one) => one.name === name))
    return says(`Function ${name.slice(0, 100)} is not defined in the function list.`)
  try {
    return isDict(readJson(argumentsOf(text)))
      ? null
      : says(`The arguments of ${name} should be a JSON object.`)
  } catch (error) {
    if (error instanceof NoJson) return says(`The arguments of ${name} are no valid JSON.`)
    throw error
  }
}
