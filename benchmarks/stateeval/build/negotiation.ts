/** Agents negotiate about an instruction: the protocol says what is asked next, and whom. */
import type { DialogueTurn } from '@stateeval/contracts'
import type { BuildNeed, BuildReply, ItemAnswer, Next } from '@stateeval/program'
import {
  agentNeed,
  type NegotiationContext,
  negotiationAbout,
  type NegotiationEnd,
  type NegotiationState,
  type NegotiationTurn,
  resumeNegotiation,
  startNegotiation,
} from '@stateeval/translate'
import type { AgentContext } from './round-trip.ts'

interface Carried {
  retries: number
}
export interface NegotiationFlowState extends Carried {
  negotiation: NegotiationState
}
/** How it ended: as the protocol says, or without an answer of a model. */
export type NegotiationOutcome = Carried &
  ({ end: NegotiationEnd } | { silent: string; dialogue: DialogueTurn[] })
type Step = Next<NegotiationFlowState, NegotiationOutcome>

const led = (turn: NegotiationTurn, carried: Carried): Step =>
  'done' in turn
    ? { done: { ...carried, end: turn.done } }
    : { state: { ...carried, negotiation: turn.state } }

const aboutOf = ({ program, scenario, agents: { prompts, rounds } }: AgentContext) =>
  negotiationAbout({ program, scenario, prompts, rounds })

/** Restores the input of a running negotiation. */
function begunAbout(context: AgentContext): NegotiationContext {
  const about = aboutOf(context)
  if ('done' in about) throw new Error(`no agents are named for ${context.program.id}`)
  return about
}

export function startNegotiating(context: AgentContext): Step {
  const about = aboutOf(context)
  return led('done' in about ? about : startNegotiation(), { retries: 0 })
}

export function negotiationNeed({ negotiation }: NegotiationFlowState, context: AgentContext): BuildNeed {
  const { agent: part, messages } = agentNeed(negotiation, begunAbout(context))
  return { kind: 'ask', part, messages, sample: context.sample }
}

export function resumeNegotiating(
  { retries, negotiation }: NegotiationFlowState,
  answer: ItemAnswer,
  context: AgentContext,
): Step {
  if (!answer.ok) return { done: { retries, silent: answer.reason, dialogue: negotiation.dialogue } }
  const reply = answer.value as BuildReply
  return led(resumeNegotiation(negotiation, reply.text, begunAbout(context)), {
    retries: retries + reply.retries,
  })
}
