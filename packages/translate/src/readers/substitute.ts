/** Variants of a parsed program that differ only in the meaning of certain words. */
import type {
  Atom,
  StepBlock,
  Condition,
  Expr,
  Program,
  VariableReference,
  ResultEntry,
  ProgramStep,
} from '@stateeval/contracts'
import { isCall } from '@stateeval/program'
import { clue, type ReadingClue, type ReadReference } from '../read-reference.ts'
import type { ClausePlace } from '../speak.ts'

type SubstitutableProgram = Pick<Program, 'body' | 'result' | 'branch'>
type SpotBlockName = 'body' | 'then' | 'otherwise'

/** A place and its content: a step, the condition, or the entries of RESULT. */
export interface ProgramSpot {
  place: ClausePlace
  block: SpotBlockName
  /** Steps of the block before it. */
  before: number
  references: readonly ReadReference[]
}

const listExprAtoms = (expr: Expr): readonly Atom[] => {
  if (expr.kind === 'list') return expr.items
  return expr.kind === 'object' ? Object.values(expr.entries) : [expr]
}
const listReadReferences = (exprs: readonly Expr[]): ReadReference[] =>
  exprs.flatMap(listExprAtoms).filter((atom) => atom.kind === 'reference')
/**
 * Lists references of a step. Edits are left out: the wording says that they change the program's own copy,
 * so they have one reading.
 */
const listStepReferences = (step: ProgramStep) =>
  listReadReferences(isCall(step) ? Object.values(step.args) : [step.value])
const toConditionReference = ({ variable, path, ...rest }: Condition): ReadReference => ({
  ...rest,
  kind: 'reference',
  variable,
  path,
})

/** Every place of a program with a reference, in the order of the instruction. */
export function listSpots({ body, result, branch }: SubstitutableProgram): ProgramSpot[] {
  const spots = (
    block: SpotBlockName,
    steps: readonly ProgramStep[],
    entries?: readonly ResultEntry[],
  ): ProgramSpot[] => [
    ...steps.map((step, index): ProgramSpot => ({
      place: `${block}/${index}`,
      block,
      before: index,
      references: listStepReferences(step),
    })),
    ...(entries
      ? [
          {
            place: `${block}/result` as const,
            block,
            before: steps.length,
            references: entries.map(({ value }) => value),
          },
        ]
      : []),
  ]
  if (!branch) return spots('body', body, result ?? [])
  const { condition, then, otherwise } = branch
  return [
    ...spots('body', body),
    {
      place: 'body/condition',
      block: 'body',
      before: body.length,
      references: [toConditionReference(condition)],
    },
    ...spots('then', then.steps, then.result),
    ...spots('otherwise', otherwise.steps, otherwise.result),
  ]
}

type ReferenceChange = (reference: ReadReference) => VariableReference
/** Replaces what these words refer to. */
export const changing =
  (
    wording: ReadingClue,
    to: (reference: VariableReference) => Pick<VariableReference, 'variable' | 'path'>,
  ): ReferenceChange =>
  (reference) =>
    reference[clue] === wording ? { kind: 'reference', ...to(reference) } : reference

/** The program with other references at a spot, and with steps inserted before some step of its block. */
export function withChange(
  program: Program,
  spot: ProgramSpot,
  change: ReferenceChange,
  inserted: { block: SpotBlockName; at: number; step: ProgramStep } | null,
): Program {
  const block = (name: SpotBlockName, { steps, result }: StepBlock): StepBlock => {
    const here = name === spot.block
    const changed = steps.map((step, index) =>
      here && spot.place === `${name}/${index}` ? changeStep(step, change) : step,
    )
    return {
      steps:
        inserted?.block === name
          ? [...changed.slice(0, inserted.at), inserted.step, ...changed.slice(inserted.at)]
          : changed,
      result:
        spot.place === `${name}/result`
          ? result.map(({ key, value }) => ({ key, value: change(value) }))
          : result,
    }
  }
  const { steps, result } = block('body', { steps: program.body, result: program.result ?? [] })
  if (!program.branch) return { ...program, body: steps, result }
  const { condition, then, otherwise } = program.branch
  const { variable, path } =
    spot.place === 'body/condition' ? change(toConditionReference(condition)) : condition
  return {
    ...program,
    body: steps,
    branch: {
      condition: { ...condition, variable, path },
      then: block('then', then),
      otherwise: block('otherwise', otherwise),
    },
  }
}

function changeStep(step: ProgramStep, change: ReferenceChange): ProgramStep {
  const atom = (item: Atom): Atom => (item.kind === 'reference' ? change(item) : item)
  const expr = (item: Expr): Expr => {
    if (item.kind === 'list') return { ...item, items: item.items.map(atom) }
    if (item.kind === 'object')
      return {
        ...item,
        entries: Object.fromEntries(Object.entries(item.entries).map(([key, value]) => [key, atom(value)])),
      }
    return atom(item)
  }
  if (!isCall(step)) return { ...step, value: expr(step.value) }
  return {
    ...step,
    args: Object.fromEntries(Object.entries(step.args).map(([name, value]) => [name, expr(value)])),
  }
}
