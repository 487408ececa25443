/**
 * Agents negotiate about an instruction: the protocol says what is asked next, and whom. Their questions go the way of any other,
 * so budgets, stops, kept answers and recordings hold for them.
 */
import { type DialogueTurn, sampleOf } from '@stateeval/contracts'
import { type Answered, type Question, silenceOf } from '@stateeval/models'
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
import { type Asking, noAsking, plusAnswer, plusSilence } from './asking.ts'
import type { ItemAnswer, ItemNeed, Next } from './flow.ts'
import type { AgentContext } from './round-trip.ts'

interface Carried {
  retries: number
  asking: Asking
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

/** What a negotiation that has begun is about. */
function begunAbout(context: AgentContext): NegotiationContext {
  const about = aboutOf(context)
  if ('done' in about) throw new Error(`nobody negotiates about ${context.program.id}`)
  return about
}

export function startNegotiating(context: AgentContext): Step {
  const about = aboutOf(context)
  return led('done' in about ? about : startNegotiation(), { retries: 0, asking: noAsking })
}

function questionOf({ negotiation }: NegotiationFlowState, context: AgentContext): Question {
  const { agent, messages } = agentNeed(negotiation, begunAbout(context))
  return { model: context.agents[agent], messages, sample: sampleOf(context.options.seed) }
}

export const negotiationNeed = (state: NegotiationFlowState, context: AgentContext): ItemNeed => ({
  kind: 'ask',
  payload: questionOf(state, context),
})

export function resumeNegotiating(
  state: NegotiationFlowState,
  answer: ItemAnswer,
  context: AgentContext,
): Step {
  const { asking, retries, negotiation } = state
  const question = questionOf(state, context)
  if (!answer.ok) {
    const { dialogue } = negotiation
    const silence = plusSilence(asking, silenceOf(question, answer))
    return { done: { asking: silence, retries, silent: answer.reason, dialogue } }
  }
  const said = answer.value as unknown as Answered
  return led(resumeNegotiation(negotiation, said.text, begunAbout(context)), {
    asking: plusAnswer(asking, question.model.name, said),
    retries: retries + said.retries,
  })
}
