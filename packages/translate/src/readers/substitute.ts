/** Variants of a parsed program that differ only in the meaning of certain words. */
import type {
  Atom,
  Branch,
  Condition,
  Expr,
  Program,
  VariableReference,
  ProgramStep,
} from '@stateeval/contracts'
import { type BlockName, isCall, listBlocks, mapBlocks, type ProgramParts } from '@stateeval/program'
import { clue, type ReadingClue, type ReadReference } from '../read-reference.ts'
import type { ClausePlace } from '../speak.ts'

/** A place and its content: a step, the condition, or the entries of RESULT. */
export interface ProgramSpot {
  place: ClausePlace
  block: BlockName
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
export const listSpots = (program: ProgramParts): ProgramSpot[] =>
  listBlocks(program).flatMap(([block, { steps, result, branch }]) => [
    ...steps.map((step, before): ProgramSpot => ({
      place: `${block}/${before}`,
      block,
      before,
      references: listStepReferences(step),
    })),
    branch
      ? {
          place: `${block}/condition` as const,
          block,
          before: steps.length,
          references: [toConditionReference(branch.condition)],
        }
      : {
          place: `${block}/result` as const,
          block,
          before: steps.length,
          references: result.map(({ value }) => value),
        },
  ])

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
  inserted: { block: BlockName; at: number; step: ProgramStep } | null,
): Program {
  return mapBlocks(program, (block, name) => {
    const { result, branch } = block
    const steps = block.steps.map((step, index) =>
      spot.place === `${name}/${index}` ? changeStep(step, change) : step,
    )
    return {
      steps: inserted?.block === name ? steps.toSpliced(inserted.at, 0, inserted.step) : steps,
      result:
        spot.place === `${name}/result`
          ? result.map(({ key, value }) => ({ key, value: change(value) }))
          : result,
      ...(branch && {
        branch: spot.place === `${name}/condition` ? changeCondition(branch, change) : branch,
      }),
    }
  })
}

function changeCondition(branch: Branch, change: ReferenceChange): Branch {
  const { variable, path } = change(toConditionReference(branch.condition))
  return { ...branch, condition: { ...branch.condition, variable, path } }
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
