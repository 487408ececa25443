import { maxInPlace } from '@stateeval/service-kit'
import { verify } from '@stateeval/translate'
import type { Route } from '../context.ts'
import { scenarioOf } from '../find.ts'

export const verifyTranslation: Route<'verifyTranslation'> = async (
  { body: { program, instruction } },
  context,
) => {
  const scenario = scenarioOf(program, context, '/program')
  const body =
    instruction.length > maxInPlace
      ? context.threads.run<ReturnType<typeof verify>>('verify', { program, instruction })
      : verify({ program, instruction, scenario })
  return { status: 200, body: await body }
}
