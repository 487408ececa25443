/** A step of a negotiation for a caller who asks the models: the protocol and its prompts stay here, the caller counts, keeps and pays. */
import type { NegotiationStep, Program } from '@stateeval/contracts'
import { isLong } from '@stateeval/service-kit'
import {
  type AgentPrompts,
  briefOf,
  needOf,
  type NegotiationState,
  resumeNegotiation,
  startNegotiation,
} from '@stateeval/translate'
import type { Context } from './context.ts'
import { scenarioOf } from './find.ts'

export interface Step {
  program: Program
  negotiate: { rounds: number; state?: unknown; answer: string | null }
}

/** Leads a negotiation on; a long answer is read in a thread, so that others are answered meanwhile. */
export async function negotiate(
  step: Step,
  context: Pick<Context, 'scenarios' | 'threads'>,
  prompts: AgentPrompts,
): Promise<NegotiationStep> {
  scenarioOf(step.program, context, '/program')
  return isLong(step.negotiate.answer)
    ? context.threads.run('negotiate', { step, prompts })
    : negotiated(step, context, prompts)
}

export function negotiated(
  { program, negotiate: { rounds, state, answer } }: Step,
  context: Pick<Context, 'scenarios'>,
  prompts: AgentPrompts,
): NegotiationStep {
  const brief = briefOf(program, scenarioOf(program, context, '/program'), 'javascript')
  if (brief === null)
    return { program: program.id, status: 'rejected', reason: 'the program can’t be written in JavaScript' }
  const about = { program, brief, prompts, rounds }
  const turn =
    state === null || state === undefined || answer === null
      ? startNegotiation()
      : resumeNegotiation(state as NegotiationState, answer, about)
  if ('done' in turn) return { program: program.id, ...turn.done }
  return { status: 'asks', ...needOf(turn.state, about), state: turn.state, dialogue: turn.state.dialogue }
}
