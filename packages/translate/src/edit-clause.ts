/** A local edit as a clause: 'set the title of `user_variable_0` to "Draft"'. */
import type { Expr, LocalEdit, VariableReference } from '@stateeval/contracts'
import { enterAfterEdit, type TranslationContext } from './context.ts'
import type { InstructionReading } from './reading.ts'
import { readReference } from './read-reference.ts'
import { sayReference } from './reference.ts'
import { simplifyExpr } from './filler.ts'
import { fillTemplate, match } from './text/template.ts'
import { readValue, sayValue } from './value.ts'
import { selectFitting, type WordingVoice } from './voice.ts'

const ofVariable = ['set {target} to {value}', 'change {target} to {value}']
/** The output of a call is a copy: editing it changes nothing elsewhere, and the sentence says so. */
const ofOutput = ['locally set {target} to {value}', 'in your local copy, change {target} to {value}']

export function sayEdit(edit: LocalEdit, context: TranslationContext, voice: WordingVoice): string | null {
  const target = sayReference(edit.target, context, voice, [])
  const value = sayValue(simplifyExpr(edit.value), context, voice)
  if (target === null || value === null) return null
  const says = context.variables.has(edit.target.variable) ? ofVariable : ofOutput
  return voice.rng.pick(
    selectFitting(
      says.map((text) => ({ text: fillTemplate(text, { target, value }) })),
      voice,
    ),
  ).text
}

/** Every edit that these tokens may mean, with the context after it. */
export function readEdit(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): { step: LocalEdit; after: TranslationContext }[] {
  return [...ofVariable, ...ofOutput].flatMap((says) => {
    const all = match<Expr>(says, reading.tokens, from, to, (slot, start, end) =>
      slot === 'target'
        ? readReference(reading, start, end, context)
        : readValue(reading, start, end, context),
    )
    return all.flatMap(({ target, value }) => {
      const isVariable = context.variables.has((target as VariableReference).variable)
      if (isVariable !== ofVariable.includes(says)) return []
      const step: LocalEdit = { kind: 'edit', target: target as VariableReference, value: value as Expr }
      return [{ step, after: enterAfterEdit(context, step) }]
    })
  })
}
