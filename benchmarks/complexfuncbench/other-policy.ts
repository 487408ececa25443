/**
 * The policy that did not lead a dialogue, on what was said in it: as long as it would have told the model
 * the same, its judgement is known. Where it first differs, the model might have continued otherwise, so
 * nothing is claimed from there.
 */
import {
  type Candidate,
  canonicalJson,
  type Consultation,
  type EpisodeEvent,
  type Message,
  type HostNeed,
} from '@stateeval/contracts'
import { type ReplayFact, resolveNeed } from '@stateeval/program'
import type { SampleConversation } from './conversation/conversation.ts'
import { leadConversation, type JudgingPolicy } from './dialogue/converse.ts'
import { type BeginDecision, cutForeign, type EndDecision, type RoundDecision } from './dialogue/decisions.ts'
import { getRunner } from './runner/index.ts'

export interface OtherJudgement {
  rounds: readonly RoundDecision[]
  /** There where the policies part nowhere. */
  end?: EndDecision
  /** Explains where the policies part, as the end of a sentence about this policy. */
  diverges?: string
}

class PolicyDivergence extends Error {}

interface LedByOther {
  begin: BeginDecision
  end: Pick<EndDecision, 'by' | 'message'>
  candidate: Pick<Candidate, 'transcripts' | 'consultations'>
}

export function judgeByOther(
  conversation: SampleConversation,
  policy: JudgingPolicy,
  led: LedByOther,
): OtherJudgement {
  const { begin, end, candidate } = led
  const { messages = [] } = candidate.transcripts[0] ?? {}
  const replies = messages.filter(({ role }) => role === 'assistant').length
  // A limit of tokens is not seen in messages: it ended the dialogue at this reply.
  const limits = end.by === 'limit' ? { ...begin.limits, turns: replies } : begin.limits
  const rounds: RoundDecision[] = []
  const record = buildFactRecord(candidate.consultations, messages, end)
  try {
    const other = leadConversation(
      { conversation, policy, runner: getRunner(begin), limits },
      { fact: record.fact, messages },
      rounds,
    )
    if (record.heard() < replies)
      return {
        rounds,
        diverges: `ends the dialogue after reply ${record.heard()}: ${cutForeign(other.end?.message ?? '')}`,
      }
    return { rounds, ...(other.end && { end: other.end }) }
  } catch (error) {
    if (error instanceof PolicyDivergence) return { rounds, diverges: error.message }
    throw error
  }
}

/** Builds a record of the dialogue, as facts. */
function buildFactRecord(
  consultations: readonly Consultation[],
  messages: readonly Message[],
  end: LedByOther['end'],
): { fact: ReplayFact; heard(): number } {
  const events = new Map(consultations.map(({ need, event }) => [canonicalJson(need), event]))
  const similar = indexPairSimilarities(consultations)
  let heard = 0
  /** Position where the messages behind the newest reply begin. */
  let next = 0
  function reply(append: readonly Message[]): EpisodeEvent {
    const at = messages.findIndex(({ role }, place) => place >= next && role === 'assistant')
    const message = messages[at]
    if (message?.role !== 'assistant') {
      if (end.by === 'silence') return { kind: 'unavailable', reason: 'exhausted', detail: '' }
      throw new PolicyDivergence(
        `continues the dialogue where it ended after reply ${heard}: ${cutForeign(end.message)}`,
      )
    }
    if (heard > 0) checkTold(append, messages.slice(next, at), heard)
    heard++
    next = at + 1
    return { kind: 'replied', text: message.content, finish: message.finish ?? 'stop' }
  }
  function eventOf(need: HostNeed): EpisodeEvent {
    switch (need.kind) {
      case 'reply':
        return reply(need.append)
      case 'similar':
        return similar(need)
      case 'http':
        return events.get(canonicalJson(need)) ?? throwUnasked('send another call to the live API')
      case 'consult': {
        const event = events.get(canonicalJson(need))
        if (event) return event
        if (need.role === 'judge:match') return throwUnasked('ask the judge about another call')
        return { kind: 'unavailable', reason: 'not_configured', detail: `${need.role} was not asked this` }
      }
      default:
        throw new TypeError(`a dialogue needs no ${need.kind}`)
    }
  }
  return { fact: (need, remember) => remember(eventOf(resolveNeed(need))), heard: () => heard }
}

/** @param what it would do, whose outcome nobody knows now */
function throwUnasked(what: string): never {
  throw new PolicyDivergence(`would ${what}, which was not done in this dialogue`)
}

/** The present rules must tell the model exactly what it was told then. */
function checkTold(would: readonly Message[], was: readonly Message[], reply: number): void {
  const at = would.findIndex((message, n) => message.content !== was[n]?.content)
  if (at < 0) return
  throw new PolicyDivergence(
    `answers call ${at + 1} of reply ${reply} differently: ${cutForeign(would[at]!.content)} instead of ${cutForeign(was[at]?.content ?? 'nothing')}`,
  )
}

/** Similarities of any texts that were compared in the dialogue. */
function indexPairSimilarities(consultations: readonly Consultation[]) {
  const similarities = new Map<string, Map<string, number>>()
  let absent: EpisodeEvent | undefined
  for (const { need, event } of consultations) {
    if (need.kind !== 'similar') continue
    if (event.kind === 'unavailable') absent = event
    if (event.kind !== 'similar') continue
    for (const [row, left] of need.left.entries()) {
      const columns = similarities.get(left) ?? new Map<string, number>()
      similarities.set(left, columns)
      for (const [column, right] of need.right.entries()) columns.set(right, event.matrix[row]?.[column] ?? 0)
    }
  }
  return ({ left, right }: Extract<HostNeed, { kind: 'similar' }>): EpisodeEvent => {
    if (absent) return absent
    const matrix = left.map((one) =>
      right.map(
        (other) => similarities.get(one)?.get(other) ?? throwUnasked('compare other calls by similarity'),
      ),
    )
    return { kind: 'similar', matrix }
  }
}
