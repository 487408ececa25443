import type { Program, Reference, Step } from '@stateeval/contracts'
import { isCall, references } from '../../expr.ts'
import type { Known } from '../known.ts'
import type { MutationOperator, Site } from '../operator.ts'
import {
  initialValue,
  nameOf,
  namesBefore,
  placesOf,
  slotsOf,
  type StepPosition,
  withReferences,
  withStep,
} from '../positions.ts'

export const wrongOperand: MutationOperator = {
  id: 'wrong_operand',
  about:
    'A step works on another variable of the same form: another speech, tensor, text or session of the user',
  sites: (program, known) => {
    const [form, initialForm] = [formsIn(program, known), formsIn(program)]
    return placesOf(program).flatMap(([place, step]) =>
      isCall(step) && step.kind !== 'http'
        ? inArguments(program, place, step, form)
        : forOtherUser(program, place, step, initialForm),
    )
  },
}

/** What a value is, roughly: what could be taken for it by its type. */
const formOf = (value: unknown): string =>
  value === null || typeof value !== 'object'
    ? typeof value
    : Array.isArray(value)
      ? 'list'
      : Object.keys(value).sort().join()

/** The form of a variable by its name. Steps name the same ones again and again. */
type Forms = (name: string) => string
function formsIn(program: Program, known?: Known): Forms {
  const forms = new Map<string, string>()
  return (name) => {
    let form = forms.get(name)
    if (form === undefined)
      forms.set(name, (form = formOf(initialValue(program, name) ?? known?.answers.get(name))))
    return form
  }
}

function others(program: Program, names: readonly string[], variable: string, form: Forms): string[] {
  const isConstant = (name: string) =>
    program.variables.some((one) => one.role === 'placeholder' && one.name === name)
  return names.filter((name) => name !== variable && form(name) === form(variable) && !isConstant(name))
}

function inArguments(program: Program, place: StepPosition, step: Step, form: Forms): Site[] {
  const names = namesBefore(program, place)
  return slotsOf(step).flatMap(({ name, atom, put }) =>
    atom.kind !== 'reference' || atom.path.length > 0
      ? []
      : others(program, names, atom.variable, form).map((other) => ({
          // Spelled where somebody reads it.
          get where() {
            return `${nameOf(place)}.${name}: ${atom.variable} → ${other}`
          },
          change: () => withStep(program, place, put({ ...atom, variable: other })),
        })),
  )
}

/** All that a step takes of one of the user's variables comes from another one. */
function forOtherUser(program: Program, place: StepPosition, step: Step, form: Forms): Site[] {
  const names = namesBefore(program, place)
  const ours = new Set(
    references(step).flatMap(({ variable }) =>
      initialValue(program, variable) === undefined ? [] : [variable],
    ),
  )
  return [...ours].flatMap((variable) =>
    others(program, names, variable, form).map((other) => ({
      get where() {
        return `${nameOf(place)}: ${variable} → ${other}`
      },
      change: () =>
        withStep(
          program,
          place,
          withReferences(step, (reference: Reference) =>
            reference.variable === variable ? { ...reference, variable: other } : reference,
          ),
        ),
    })),
  )
}
