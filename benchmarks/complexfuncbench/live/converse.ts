/**
 * A dialogue with the world itself: each call goes to an open session, and the model reads what the world
 * answers.
 */
import type { Message, UnscoredReason as Unscored } from '@stateeval/contracts'
import type { SampleConversation } from '../conversation/conversation.ts'
import { type DialogueEnding, type DialogueSession, talkToEnd } from '../dialogue/session.ts'
import {
  NotScoredError,
  type PartySilence,
  findSilence,
  type ModelTalk,
  throwUnexpected,
} from '../dialogue/talk.ts'
import { judgeAnswerText } from '../judge/answer.ts'
import { soundManner } from '../match/manner.ts'
import { NoJson, readJson } from '../python/read.ts'
import { isDict } from '../python/value.ts'
import { dumpJson } from '../python/write.ts'
import type { WrittenCall } from '../runner/runner.ts'
import { formatWireName } from '../travel/function.ts'
import type { LiveEnd } from './decisions.ts'
import type { LivePart } from './case.ts'

const session = 0

interface ConversedLive {
  /** Absent where the dialogue could not be led to its end. */
  end?: LiveEnd
  /** The place of the observation of the world. */
  run?: number
  notScored?: Unscored
}

/** Leads one dialogue to its end, as `converse` does. */
export function leadLiveConversation(parts: DialogueSession, live: LivePart, talk: ModelTalk): ConversedLive {
  try {
    open(live, talk)
    let refused = 0
    const ended = talkToEnd<string>(parts, talk, (writtenCalls) => {
      const outcome = makeCalls(writtenCalls, parts.conversation, talk)
      refused += outcome.refused
      return outcome.ended ? { end: 'a call took too long' } : { answers: outcome.contents }
    })
    const run = close(talk)
    const { query } = parts.conversation
    const dialogue = () => formatHistory(talk.messages.slice(0, -1))
    const end: LiveEnd = {
      kind: 'live end',
      ...describeLiveEnd(ended),
      steps: ended.turns,
      calls: ended.calls,
      refused,
      ...(ended.by === 'text' &&
        judgeAnswerText(talk, ended.text, { query, dialogue, read: soundManner.judge.read })),
    }
    return { run, end }
  } catch (error) {
    if (error instanceof NotScoredError) return { notScored: { reason: error.reason, detail: error.message } }
    throw error
  }
}

/** A call that takes too long reaches a limit, too: that of the world's session. */
function describeLiveEnd(ended: DialogueEnding<string>): Pick<LiveEnd, 'by' | 'message'> {
  switch (ended.by) {
    case 'text':
      return { by: 'text', message: '' }
    case 'silence':
      return { by: 'silence', message: 'the model sent nothing more' }
    case 'limit':
      return { by: 'limit', message: ended.message }
    case 'answer':
      return { by: 'limit', message: ended.end }
  }
}

const formatHistory = (messages: readonly Message[]) =>
  JSON.stringify(messages.filter(({ role }) => role !== 'system'))

function open({ world }: LivePart, { fact }: ModelTalk): void {
  const none = fact(
    {
      kind: 'open',
      session,
      world: 'travel',
      input: { variables: {}, world: { ...world, hidden: world.hidden ?? [] } },
    },
    (event): { none: PartySilence } | null =>
      event.kind === 'opened' ? null : (findSilence(event) ?? throwUnexpected(event)),
  )
  if (none) throw new NotScoredError(none.none.reason, none.none.detail)
}

function close({ fact }: ModelTalk): number {
  const closed = fact({ kind: 'close', session }, (event): { run: number } | { none: PartySilence } =>
    event.kind === 'closed' ? { run: event.run } : (findSilence(event) ?? throwUnexpected(event)),
  )
  if ('none' in closed) throw new NotScoredError(closed.none.reason, closed.none.detail)
  return closed.run
}

/** The outcome of a round's calls, as a fact. */
type RoundOutcome = { refused: number } | { refused: number; ended: true } | { none: PartySilence }

/**
 * Contents are there at the time of their event alone, when they are appended to the dialogue; they are too
 * large for facts. Later on the transcript has them.
 */
function makeCalls(
  writtenCalls: readonly WrittenCall[],
  conversation: SampleConversation,
  { fact }: ModelTalk,
): { contents: string[]; refused: number; ended?: true } {
  const faults = writtenCalls.map((call) => findCallFault(call, conversation))
  const sound = writtenCalls.filter((_, at) => faults[at] === null)
  const faultCount = faults.filter((fault) => fault !== null).length
  let answered: string[] = []
  const outcome: RoundOutcome =
    sound.length === 0
      ? { refused: 0 }
      : fact(
          {
            kind: 'call',
            session,
            calls: sound.map(({ id, name, arguments: text }) => ({
              id,
              name: formatWireName(name),
              arguments: defaultArguments(text),
            })),
          },
          (event): RoundOutcome => {
            if (event.kind === 'ended') return { refused: 0, ended: true }
            if (event.kind !== 'called') return findSilence(event) ?? throwUnexpected(event)
            answered = event.results.map(({ content }) => formatAsPublished(content))
            return { refused: event.results.filter(({ error }) => error).length }
          },
        )
  if ('none' in outcome) throw new NotScoredError(outcome.none.reason, outcome.none.detail)
  let next = 0
  const contents = faults.map((fault) => fault ?? answered[next++] ?? '')
  return {
    contents,
    refused: faultCount + outcome.refused,
    ...('ended' in outcome && { ended: true as const }),
  }
}

/** The form in which golden responses are sent: the same answer is then the same text under every policy. */
function formatAsPublished(content: string): string {
  try {
    return dumpJson(readJson(content), { ascii: false })
  } catch (error) {
    if (error instanceof NoJson) return content
    throw error
  }
}

const defaultArguments = (text: string) => (text.trim() === '' ? '{}' : text)

/** Finds why the world cannot take a call, as the world would say it; null: nothing. */
export function findCallFault(
  { name, arguments: text, broken }: WrittenCall,
  { functions }: SampleConversation,
): string | null {
  const says = (message: string) => JSON.stringify({ status: false, message })
  if (broken !== undefined) return says(`This is not a valid call: ${broken}.`)
  if (!functions.some((one) => one.name === name))
    return says(`Function ${name.slice(0, 100)} is not defined in the function list.`)
  try {
    return isDict(readJson(defaultArguments(text)))
      ? null
      : says(`The arguments of ${name} should be a JSON object.`)
  } catch (error) {
    if (error instanceof NoJson) return says(`The arguments of ${name} are not valid JSON.`)
    throw error
  }
}
