/** Positions of steps, arguments and results in a program, and programs with one of them changed. */
import type { Atom, Call, Expr, Program, VariableReference, ProgramStep } from '@stateeval/contracts'
import { type BlockName, listBlocks, listStepsBefore, withBlock } from '../blocks.ts'
import { isCall, listReferences } from '../expr.ts'
import { memoize } from '../memoized.ts'

/** Programs whose parts are kept: all operators go over one, then over the next. */
const newest = 3

export interface StepPosition {
  block: BlockName
  index: number
}
export const formatPosition = ({ block, index }: StepPosition) => `${block}[${index}]`
/** The if that ends a block. */
export const formatIf = (block: BlockName) => (block === 'body' ? 'if' : `if in ${block}`)

/** Every step with its position; each operator uses this. */
export const placesOf = memoize(
  (program: Program): readonly (readonly [StepPosition, ProgramStep])[] =>
    listBlocks(program).flatMap(([block, { steps }]) =>
      steps.map((step, index) => [{ block, index }, step] as const),
    ),
  newest,
)

/** The program with a block's steps replaced. */
export const withSteps = (
  program: Program,
  name: BlockName,
  change: (steps: ProgramStep[]) => ProgramStep[],
): Program => withBlock(program, name, (block) => ({ ...block, steps: change([...block.steps]) }))
export const withStep = (program: Program, { block, index }: StepPosition, step: ProgramStep): Program =>
  withBlock(program, block, (one) => ({ ...one, steps: one.steps.with(index, step) }))

/** The program with these steps in place of one. */
export function replaceStep(program: Program, place: StepPosition, steps: readonly ProgramStep[]): Program {
  const [only] = steps
  return only && steps.length === 1
    ? withStep(program, place, only)
    : withSteps(program, place.block, (all) => all.toSpliced(place.index, 1, ...steps))
}

/**
 * Names that have a value just before a position (or at the end of its block, for an index beyond the
 * steps).
 */
export const collectNamesBefore = (program: Program, { block, index }: StepPosition): string[] => [
  ...program.variables.map(({ name }) => name),
  ...listStepsBefore(program, block, index).flatMap((step) => getBinding(step) ?? []),
]

/** The references and literals of a step, with the step in which one of them is replaced. */
interface StepSlot {
  /** The argument, or the value of an edit, and which part of it. */
  argument: string
  name: string
  atom: Atom
  put: (atom: Atom) => ProgramStep
}
export const slotsOf = memoize((step: ProgramStep): readonly StepSlot[] => {
  if (!isCall(step)) return listExprSlots('value', step.value, (value) => ({ ...step, value }))
  return Object.entries(step.args).flatMap(([name, expr]) =>
    listExprSlots(name, expr, (next) => ({ ...step, args: { ...step.args, [name]: next } })),
  )
}, 40)
function listExprSlots(name: string, expr: Expr, put: (expr: Expr) => ProgramStep): StepSlot[] {
  switch (expr.kind) {
    case 'reference':
    case 'literal':
      return [{ argument: name, name, atom: expr, put }]
    case 'list':
      return expr.items.map((atom, n) => ({
        argument: name,
        name: `${name}[${n}]`,
        atom,
        put: (next) => put({ ...expr, items: expr.items.with(n, next) }),
      }))
    case 'object':
      return Object.entries(expr.entries).map(([key, atom]) => ({
        argument: name,
        name: `${name}.${key}`,
        atom,
        put: (next) => put({ ...expr, entries: { ...expr.entries, [key]: next } }),
      }))
  }
}

/** The step with a function applied to each of its references. */
export function withReferences(
  step: ProgramStep,
  map: (reference: VariableReference) => VariableReference,
): ProgramStep {
  const atom = <T extends Atom>(item: T): T => (item.kind === 'reference' ? (map(item) as T) : item)
  const expr = (whole: Expr): Expr => {
    if (whole.kind === 'list') return { ...whole, items: whole.items.map(atom) }
    if (whole.kind !== 'object') return atom(whole)
    return { ...whole, entries: mapRecord(whole.entries, atom) }
  }
  return isCall(step)
    ? { ...step, args: mapRecord(step.args, expr) }
    : { ...step, target: map(step.target), value: expr(step.value) }
}
const mapRecord = <T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** Tells whether a call may change something: a request other than GET, or a tool without output. */
export const isEffect = (call: Call) =>
  call.kind === 'http' ? call.method !== 'GET' : call.kind === 'tool' && call.binds === undefined

/**
 * Every reference of a program's steps, with how its place reads and the program in which another one stands
 * there.
 */
interface ReferenceSlot {
  place: StepPosition
  where: string
  reference: VariableReference
  put: (reference: VariableReference) => Program
}
export const referenceSlotsOf = memoize(
  (program: Program): readonly ReferenceSlot[] =>
    placesOf(program).flatMap(([place, step]) =>
      slotsOf(step).flatMap(({ name, atom, put }) =>
        atom.kind === 'reference'
          ? [
              {
                place,
                // Spelled where somebody reads it.
                get where() {
                  return `${formatPosition(place)}.${name}: ${formatPlainReference(atom)}`
                },
                reference: atom,
                put: (next: VariableReference) => withStep(program, place, put(next)),
              },
            ]
          : [],
      ),
    ),
  newest,
)

export const hasVariable = (step: ProgramStep, variable: string) =>
  listReferences(step).some((reference) => reference.variable === variable)
export const getBinding = (step: ProgramStep) => (isCall(step) ? step.binds : undefined)
export const formatAtom = (atom: Atom) =>
  atom.kind === 'literal' ? JSON.stringify(atom.value) : formatPlainReference(atom)
export const formatPlainReference = ({ variable, path }: VariableReference) =>
  variable + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')

/** The value of a variable of the initialisation block on the first input. */
export const getInitialValue = (program: Program, variable: string): unknown =>
  program.variables.find(({ name }) => name === variable)?.values[0]

/** The API whose output a variable is, with the position of its binding. */
export function findProducerApi(program: Program, variable: string) {
  const match = placesOf(program).find(([, step]) => getBinding(step) === variable)
  return match && isCall(match[1]) ? match[1] : undefined
}
