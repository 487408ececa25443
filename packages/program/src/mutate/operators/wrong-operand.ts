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
  sites: (program, known) =>
    placesOf(program).flatMap(([place, step]) =>
      isCall(step) && step.kind !== 'http'
        ? inArguments(program, place, step, known)
        : forOtherUser(program, place, step),
    ),
}

/** What a value is, roughly: what could be taken for it by its type. */
const formOf = (value: unknown): string =>
  value === null || typeof value !== 'object'
    ? typeof value
    : Array.isArray(value)
      ? 'list'
      : Object.keys(value).sort().join()

function others(program: Program, place: StepPosition, variable: string, known?: Known): string[] {
  const valueOf = (name: string) => initialValue(program, name) ?? known?.answers.get(name)
  const form = formOf(valueOf(variable))
  const constants = program.variables.flatMap(({ name, role }) => (role === 'placeholder' ? [name] : []))
  return namesBefore(program, place).filter(
    (name) => name !== variable && !constants.includes(name) && formOf(valueOf(name)) === form,
  )
}

const inArguments = (program: Program, place: StepPosition, step: Step, known?: Known): Site[] =>
  slotsOf(step).flatMap(({ name, atom, put }) =>
    atom.kind !== 'reference' || atom.path.length > 0
      ? []
      : others(program, place, atom.variable, known).map((other) => ({
          where: `${nameOf(place)}.${name}: ${atom.variable} → ${other}`,
          change: () => withStep(program, place, put({ ...atom, variable: other })),
        })),
  )

/** All that a step takes of one of the user's variables comes from another one. */
function forOtherUser(program: Program, place: StepPosition, step: Step): Site[] {
  const ours = new Set(
    references(step).flatMap(({ variable }) =>
      initialValue(program, variable) === undefined ? [] : [variable],
    ),
  )
  return [...ours].flatMap((variable) =>
    others(program, place, variable).map((other) => ({
      where: `${nameOf(place)}: ${variable} → ${other}`,
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
