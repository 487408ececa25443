import type { Program, VariableReference, ProgramStep } from '@stateeval/contracts'
import { isCall, listReferences } from '../../expr.ts'
import type { KnownAnswers } from '../known.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { collectNamesBefore, placesOf, slotsOf, type StepPosition, withReferences } from '../positions.ts'

export const wrongOperand: MutationOperator = {
  id: 'wrong_operand',
  about:
    'A step uses a different variable of the same form: a different speech, tensor, text or session of the user',
  sites(program, facts) {
    const forms = new VariableForms(program, facts)
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program))
      if (isCall(step) && step.kind !== 'http') listArgumentOperands(program, place, step, forms, sites)
      else replaceUserVariable(program, place, step, forms, sites)
    return sites
  },
}

/** Describes the form of a value: values of one form can be taken for each other by type. */
function describeForm(value: unknown): string {
  if (value === null || typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return 'list'
  const keys = Object.keys(value)
  return keys.length === 1 ? (keys[0] as string) : keys.sort().join()
}

/** The forms of a program's variables. Steps name the same ones again and again. */
class VariableForms {
  /** Forms of the initialisation block, in its order. */
  readonly initial = new Map<string, string>()
  /** Constants that only the condition compares with. */
  private readonly constants = new Set<string>()
  private readonly bound = new Map<string, string>()
  private readonly facts: KnownAnswers | undefined

  constructor({ variables }: Program, facts: KnownAnswers | undefined) {
    this.facts = facts
    for (const { name, role, values } of variables) {
      if (role === 'placeholder') this.constants.add(name)
      if (values.length > 0) this.initial.set(name, describeForm(values[0]))
    }
  }

  private of(name: string): string {
    let form = this.initial.get(name) ?? this.bound.get(name)
    if (form === undefined) this.bound.set(name, (form = describeForm(this.facts?.answers.get(name))))
    return form
  }
  /** Lists those of some names that could be taken for the variable. */
  others(names: Iterable<string>, variable: string): string[] {
    const form = this.of(variable)
    const others: string[] = []
    for (const name of names)
      if (name !== variable && this.of(name) === form && !this.constants.has(name)) others.push(name)
    return others
  }
}

function listArgumentOperands(
  program: Program,
  place: StepPosition,
  step: ProgramStep,
  forms: VariableForms,
  sites: MutationSite[],
): void {
  const names = collectNamesBefore(program, place)
  for (const { argument, name, atom, put } of slotsOf(step)) {
    if (atom.kind !== 'reference' || atom.path.length > 0) continue
    for (const other of forms.others(names, atom.variable)) {
      const value = { ...atom, variable: other }
      const spell = () => `.${name}: ${atom.variable} → ${other}`
      sites.push(new StepSite(program, place, () => [put(value)], spell, { argument, own: atom, value }))
    }
  }
}

/** All that a step takes of one of the user's variables comes from another one. */
function replaceUserVariable(
  program: Program,
  place: StepPosition,
  step: ProgramStep,
  forms: VariableForms,
  sites: MutationSite[],
): void {
  const { initial } = forms
  const names: string[] = []
  for (const { variable } of listReferences(step)) {
    if (!initial.has(variable) || names.includes(variable)) continue
    names.push(variable)
    for (const other of forms.others(initial.keys(), variable)) {
      const wrong = () =>
        withReferences(step, (reference: VariableReference) =>
          reference.variable === variable ? { ...reference, variable: other } : reference,
        )
      sites.push(
        new StepSite(
          program,
          place,
          () => [wrong()],
          () => `: ${variable} → ${other}`,
        ),
      )
    }
  }
}
