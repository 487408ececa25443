/** One step of a program as a clause, with the context after it. */
import type { ProgramStep } from '@stateeval/contracts'
import { isCall } from '@stateeval/program'
import { sayCall } from './call-clause.ts'
import { enterAfterCall, enterAfterEdit, type TranslationContext, findPhrase } from './context.ts'
import { sayEdit } from './edit-clause.ts'
import { hasShape } from './form.ts'
import type { WordingVoice } from './voice.ts'

/** Something that no sentence of the grammar expresses. */
export class UnsayableError extends Error {}

/** Throws an UnsayableError if the text is null. */
export function requireText(text: string | null, why: () => string): string {
  if (text === null) throw new UnsayableError(why())
  return text
}

/** Throws an UnsayableError if no clause expresses the step. */
export function sayStep(
  step: ProgramStep,
  context: TranslationContext,
  voice: WordingVoice,
): { text: string; after: TranslationContext } {
  if (!isCall(step)) {
    const text = requireText(
      sayEdit(step, context, voice),
      () => `the edit of ${step.target.variable} cannot be phrased`,
    )
    return { text, after: enterAfterEdit(context, step) }
  }
  const phrase = findPhrase(context, step.api)
  if (!phrase) throw new UnsayableError(`the scenario has no API ${step.api}`)
  if (!hasShape(step, phrase)) throw new UnsayableError(`${step.api} is not called as its documentation says`)
  const text = requireText(sayCall(step, context, voice), () => `no phrase of ${step.api} says this call`)
  return {
    text,
    after: enterAfterCall(context, step, phrase, step.binds ?? `(unbound ${context.statedCalls.length})`),
  }
}
