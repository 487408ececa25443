/** A step of a negotiation for a caller who asks the models: the protocol and its prompts stay here, the caller counts, keeps and pays. */
import type { NegotiationStep, Program } from '@stateeval/contracts'
import { type AgentPrompts, briefOf, needOf, type NegotiationState, resumeNegotiation, startNegotiation } from '@stateeval/translate'
import type { Context } from './context.ts'
import { scenarioOf } from './find.ts'

export interface Step {
  program: Program
  negotiate: { rounds: number; state?: unknown; answer: string | null }
}

export function negotiate(
  { program, negotiate: { rounds, state, answer } }: Step,
  context: Pick<Context, 'scenarios'>,
  prompts: AgentPrompts,
): NegotiationStep {
  const brief = briefOf(program, scenarioOf(program, context, '/program'), 'javascript')
  if (brief === null) return { program: program.id, status: 'rejected', reason: 'the program can’t be written in JavaScript' }
  const about = { program, brief, prompts, rounds }
  const turn =
    state === null || state === undefined || answer === null
      ? startNegotiation()
      : resumeNegotiation(state as NegotiationState, answer, about)
  if ('done' in turn) return { program: program.id, ...turn.done }
  return { status: 'asks', ...needOf(turn.state, about), state: turn.state, dialogue: turn.state.dialogue }
}
