import { verify } from '@stateeval/translate'
import type { Route } from '../context.ts'
import { scenarioOf } from '../find.ts'

export const verifyTranslation: Route<'verifyTranslation'> = async ({ body: { program, instruction } }, context) => ({
  status: 200,
  body: verify({ program, instruction, scenario: scenarioOf(program, context, '/program') }),
})
