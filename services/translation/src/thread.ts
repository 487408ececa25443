/** The thread that reads and writes long texts: the same functions, without the rest of the service. */
import type { Program } from '@stateeval/contracts'
import {
  type NegotiationContext,
  type NegotiationState,
  resumeNegotiation,
  translate as translated,
  verify as verified,
} from '@stateeval/translate'
import { requireProgramScenario } from './find.ts'
import type { TranslateTask } from './translators/template.ts'

/** An instruction of a program whose scenario is made of a model. */
export interface VerifyTask {
  program: Program
  instruction: string
  model?: Uint8Array
}

export const resume = ({
  state,
  text,
  context,
}: {
  state: NegotiationState
  text: string
  context: NegotiationContext
}) => resumeNegotiation(state, text, context)

export const translate = ({ program: text, seed, model }: TranslateTask) => {
  const program = JSON.parse(text) as Program
  return translated({ program, scenario: requireProgramScenario(program, '/program', model), seed })
}

export const verify = ({ program, instruction, model }: VerifyTask) =>
  verified({ program, instruction, scenario: requireProgramScenario(program, '/program', model) })
