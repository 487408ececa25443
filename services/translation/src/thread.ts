/** The thread that long texts are read in: the same functions, without the service around them. */
import { scenarios } from '@stateeval/scenarios'
import {
  type AgentPrompts,
  type NegotiationContext,
  type NegotiationState,
  resumeNegotiation,
  verify as verified,
} from '@stateeval/translate'
import { scenarioOf } from './find.ts'
import { negotiated, type Step } from './negotiate.ts'

export const negotiate = ({ step, prompts }: { step: Step; prompts: AgentPrompts }) =>
  negotiated(step, { scenarios }, prompts)

export const resume = ({
  state,
  text,
  context,
}: {
  state: NegotiationState
  text: string
  context: NegotiationContext
}) => resumeNegotiation(state, text, context)

export const verify = ({ program, instruction }: { program: Step['program']; instruction: string }) =>
  verified({ program, instruction, scenario: scenarioOf(program, { scenarios }, '/program') })
