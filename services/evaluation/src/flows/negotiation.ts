/**
 * Agents negotiate about an instruction: the translation service says what is asked next, this service asks. So budgets, stops,
 * kept answers and recordings hold for agents as for any other question.
 */
import type { DialogueTurn, Json, Message, NegotiationStep } from '@stateeval/contracts'
import { answerKey, type NamedModel } from '@stateeval/models'
import type { Answered, Question } from '../asking/question.ts'
import { sampleOf } from '../owners/task-source.ts'
import { type Asking, noAsking, plusAnswer, plusSilence } from './asking.ts'
import { again, type ItemAnswer, type ItemNeed, type Next, troubleOf } from './flow.ts'
import type { AgentContext } from './round-trip.ts'

interface Carried {
  tries: number
  retries: number
  asking: Asking
}
/** `lead` waits for the protocol's next step, `reply` for a model's answer to it. */
export type NegotiationFlowState = Carried &
  (
    | { step: 'lead'; negotiation: Json | null; answer: string | null }
    | {
        step: 'reply'
        negotiation: Json
        agent: 'generator' | 'evaluator'
        messages: Message[]
        dialogue: DialogueTurn[]
      }
  )
/** How it ended: as the protocol says, or without an answer of a model, or without the service. */
export type NegotiationOutcome = { asking: Asking; retries: number } & (
  | { end: Exclude<NegotiationStep, { status: 'asks' }> }
  | { silent: string; dialogue: DialogueTurn[] }
  | { away: string; refused: boolean }
)

export const startNegotiating = (retries: number): NegotiationFlowState => ({
  step: 'lead',
  negotiation: null,
  answer: null,
  tries: 0,
  retries,
  asking: noAsking,
})

const modelOf = ({ agents }: AgentContext, agent: 'generator' | 'evaluator'): NamedModel => agents[agent]
const questionOf = (
  { agent, messages }: NegotiationFlowState & { step: 'reply' },
  context: AgentContext,
): Question => ({
  model: modelOf(context, agent),
  messages,
  sample: sampleOf(context.options.seed),
})

export function negotiationNeed(state: NegotiationFlowState, context: AgentContext): ItemNeed {
  if (state.step === 'reply') return { kind: 'ask', payload: questionOf(state, context) }
  const { negotiation, answer } = state
  const negotiate = { rounds: context.agents.rounds, state: negotiation, answer }
  return { kind: 'translate', payload: { program: context.program, negotiate } as never }
}

export function resumeNegotiating(
  state: NegotiationFlowState,
  answer: ItemAnswer,
  context: AgentContext,
): Next<NegotiationFlowState, NegotiationOutcome> {
  const { asking, retries } = state
  if (state.step === 'reply') {
    const { messages, model, sample } = questionOf(state, context)
    if (!answer.ok) {
      const { refused, reason } = answer
      const key = answerKey(model.settings, { messages }, sample)
      return {
        done: {
          asking: plusSilence(asking, { key, refused, reason }),
          retries,
          silent: reason,
          dialogue: state.dialogue,
        },
      }
    }
    const said = answer.value as unknown as Answered
    const next = { asking: plusAnswer(asking, model.name, said), retries: retries + said.retries, tries: 0 }
    return { state: { step: 'lead', negotiation: state.negotiation, answer: said.text, ...next } }
  }
  if (!answer.ok) {
    const { refused, reason } = answer
    return again(state, troubleOf(answer)) ?? { done: { asking, retries, away: reason, refused } }
  }
  const step = answer.value as unknown as NegotiationStep
  if (step.status !== 'asks') return { done: { asking, retries, end: step } }
  const { agent, messages, dialogue } = step
  return {
    state: {
      step: 'reply',
      negotiation: step.state as Json,
      agent,
      messages,
      dialogue,
      tries: 0,
      retries,
      asking,
    },
  }
}
