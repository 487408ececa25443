/** The thread that reads long texts: the same functions, without the rest of the service. */
import type { Program } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import {
  type NegotiationContext,
  type NegotiationState,
  resumeNegotiation,
  verify as verified,
} from '@stateeval/translate'
import { scenarioOf } from './find.ts'

export const resume = ({
  state,
  text,
  context,
}: {
  state: NegotiationState
  text: string
  context: NegotiationContext
}) => resumeNegotiation(state, text, context)

export const verify = ({ program, instruction }: { program: Program; instruction: string }) =>
  verified({ program, instruction, scenario: scenarioOf(program, { scenarios }, '/program') })
