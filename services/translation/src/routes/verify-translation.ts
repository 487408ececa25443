import type { VerifyResult } from '@stateeval/contracts'
import type { TranslationRoute } from './route.ts'
import { loadProgramScenario } from '../find.ts'
import type { VerifyTask } from '../thread.ts'

/** Answers with what ../bodies.ts reads from the body; a program of a model is read in a thread. */
export const verifyTranslation: TranslationRoute<'verifyTranslation'> = async ({ body, signal }, context) => {
  if ('answer' in body) return { status: 200, body: body.answer }
  const { model } = await loadProgramScenario(body.request.program, context, '/program')
  const task: VerifyTask = { ...body.request, ...(model && { model }) }
  return { status: 200, body: await context.threads.run<VerifyResult>('verify', task, { signal }) }
}
