/** Agents negotiate about an instruction: the protocol says what is asked next, and whom. */
import type { DialogueTurn } from '@stateeval/contracts'
import type { BuildNeed, BuildReply, ItemAnswer, FlowTransition } from '@stateeval/program'
import {
  buildAgentNeed,
  type NegotiationContext,
  beginNegotiation,
  type NegotiationEnd,
  type NegotiationState,
  type NegotiationTurn,
  resumeNegotiation,
  startNegotiation,
} from '@stateeval/translate'
import type { AgentContext } from './round-trip.ts'

interface CarriedRetries {
  retries: number
}
export interface NegotiationFlowState extends CarriedRetries {
  negotiation: NegotiationState
}
/** How it ended: as the protocol says, or without an answer of a model. */
export type NegotiationOutcome = CarriedRetries &
  ({ end: NegotiationEnd } | { silent: string; dialogue: DialogueTurn[] })
type NegotiationStep = FlowTransition<NegotiationFlowState, NegotiationOutcome>

const leadNegotiation = (turn: NegotiationTurn, carried: CarriedRetries): NegotiationStep =>
  'done' in turn
    ? { done: { ...carried, end: turn.done } }
    : { state: { ...carried, negotiation: turn.state } }

const buildNegotiationInput = ({ program, scenario, agents: { prompts, rounds } }: AgentContext) =>
  beginNegotiation({ program, scenario, prompts, rounds })

/** Restores the context of a negotiation that has begun. */
function restoreNegotiation(context: AgentContext): NegotiationContext {
  const about = buildNegotiationInput(context)
  if ('done' in about) throw new Error(`no agents are named for ${context.program.id}`)
  return about
}

export function startNegotiating(context: AgentContext): NegotiationStep {
  const about = buildNegotiationInput(context)
  return leadNegotiation('done' in about ? about : startNegotiation(), { retries: 0 })
}

export function buildNegotiationNeed(
  { negotiation }: NegotiationFlowState,
  context: AgentContext,
): BuildNeed {
  const { agent: part, messages } = buildAgentNeed(negotiation, restoreNegotiation(context))
  return { kind: 'ask', part, messages, sample: context.sample }
}

export function resumeNegotiating(
  { retries, negotiation }: NegotiationFlowState,
  answer: ItemAnswer,
  context: AgentContext,
): NegotiationStep {
  if (!answer.ok) return { done: { retries, silent: answer.reason, dialogue: negotiation.dialogue } }
  const reply = answer.value as BuildReply
  return leadNegotiation(resumeNegotiation(negotiation, reply.text, restoreNegotiation(context)), {
    retries: retries + reply.retries,
  })
}
