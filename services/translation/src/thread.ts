/** The thread that reads and writes long texts: the same functions, without the rest of the service. */
import type { Program } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import {
  type NegotiationContext,
  type NegotiationState,
  resumeNegotiation,
  translate as translated,
} from '@stateeval/translate'
import { requireProgramScenario } from './find.ts'
import type { TranslateTask } from './translators/template.ts'

export const resume = ({
  state,
  text,
  context,
}: {
  state: NegotiationState
  text: string
  context: NegotiationContext
}) => resumeNegotiation(state, text, context)

export const translate = ({ program: text, seed }: TranslateTask) => {
  const program = JSON.parse(text) as Program
  return translated({ program, scenario: requireProgramScenario(program, { scenarios }, '/program'), seed })
}
