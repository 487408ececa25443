/**
 * The blocks of a program: the body, and the branches of its ifs, named by the way to them. All that reads
 * or changes branches goes through here.
 */
import type { Branch, Condition, Program, ProgramStep, StepBlock } from '@stateeval/contracts'
import { memoize } from './memoized.ts'

export const branchSides = ['then', 'otherwise'] as const
export type BranchSide = (typeof branchSides)[number]
/** The way to a branch: `otherwise/then` is the first branch of the if in the second branch. */
type BranchName = BranchSide | `${BranchSide}/${BranchSide}` | `${BranchSide}/${BranchSide}/${BranchSide}`
export type BlockName = 'body' | BranchName
/** The block in which a path ends; `none` for a straight program. */
export type PathEnd = 'none' | BranchName

/** The name of a branch of the if that ends a block. */
export const nameBranch = (block: BlockName, side: BranchSide): BranchName =>
  block === 'body' ? side : (`${block}/${side}` as BranchName)

/** The branches taken on the way to a block, outermost first. */
export const listSides = (block: BlockName | 'none'): BranchSide[] =>
  block === 'body' || block === 'none' ? [] : (block.split('/') as BranchSide[])

/** Tells whether a path that leads to a block comes by another one. */
export const isOnPath = (block: BlockName, end: BlockName | PathEnd): boolean =>
  block === 'body' || block === end || end.startsWith(`${block}/`)

/** What of a program its blocks are. */
export type ProgramParts = Pick<Program, 'body' | 'result' | 'branch'>

/** The body as a block, like the others. */
export const getRootBlock = ({ body, result = [], branch }: ProgramParts): StepBlock =>
  branch ? { steps: body, result, branch } : { steps: body, result }

/** The parts of a program with this root block. */
export const toProgramParts = ({ steps, result, branch }: StepBlock): ProgramParts =>
  branch ? { body: steps, branch } : { body: steps, result }

/** The program with another root block. */
export function withRootBlock(program: Program, block: StepBlock): Program {
  const { branch: _branch, result: _result, ...head } = program
  return { ...head, ...toProgramParts(block), id: '' }
}

/** Programs whose parts are kept: what goes over one goes over it many times. */
const newest = 3

/** All blocks, in the order in which they are written. */
export const listBlocks = memoize((program: ProgramParts): readonly (readonly [BlockName, StepBlock])[] => {
  const list = (name: BlockName, block: StepBlock): (readonly [BlockName, StepBlock])[] => [
    [name, block],
    ...(block.branch ? branchSides.flatMap((side) => list(nameBranch(name, side), block.branch![side])) : []),
  ]
  return list('body', getRootBlock(program))
}, newest)

export const findBlock = (program: Program, name: BlockName): StepBlock | undefined =>
  listBlocks(program).find(([other]) => other === name)?.[1]

/** The program with each block changed, those inside a branch before the block around them. */
export function mapBlocks(
  program: Program,
  change: (block: StepBlock, name: BlockName) => StepBlock,
): Program {
  const map = (block: StepBlock, name: BlockName): StepBlock => {
    const { branch } = block
    if (!branch) return change(block, name)
    const [then, otherwise] = branchSides.map((side) => map(branch[side], nameBranch(name, side)))
    return change({ ...block, branch: { ...branch, then: then!, otherwise: otherwise! } }, name)
  }
  return withRootBlock(program, map(getRootBlock(program), 'body'))
}

/** The program with one block changed; the other blocks are the program's own. */
export function withBlock(
  program: Program,
  name: BlockName,
  change: (block: StepBlock) => StepBlock,
): Program {
  const within = (block: StepBlock, [side, ...rest]: readonly BranchSide[]): StepBlock => {
    if (side === undefined) return change(block)
    if (!block.branch) throw new TypeError(`the program has no block ${name}`)
    return { ...block, branch: { ...block.branch, [side]: within(block.branch[side], rest) } }
  }
  return withRootBlock(program, within(getRootBlock(program), listSides(name)))
}

/** An if, with the block that it ends. */
interface ProgramIf {
  block: BlockName
  branch: Branch
}
/** All ifs, in the order in which they are written. */
export const listIfs = (program: Program): ProgramIf[] =>
  listBlocks(program).flatMap(([block, { branch }]) => (branch ? [{ block, branch }] : []))

/** The conditions asked on a path, in order. */
export const listPathConditions = (program: Program, end: PathEnd): Condition[] =>
  listIfs(program).flatMap(({ block, branch: { condition } }) =>
    isOnPath(block, end) && block !== end ? [condition] : [],
  )

/** Tells whether an if stands in a branch. */
export const isNested = (program: Program): boolean => listIfs(program).length > 1

/** An execution path: all steps that a run makes, and its RESULT. */
interface ExecutionPath {
  branch: PathEnd
  blocks: readonly (readonly [BlockName, StepBlock])[]
  steps: readonly ProgramStep[]
  result: StepBlock['result']
}

/** The execution paths of a program, by where they end: one more than it has ifs. */
export const listExecutionPaths = memoize((program: Program): readonly ExecutionPath[] => {
  const blocks = listBlocks(program)
  return blocks.flatMap(([name, { branch, result }]) => {
    if (branch) return []
    const onPath = blocks.filter(([other]) => isOnPath(other, name))
    return [
      {
        branch: name === 'body' ? 'none' : name,
        blocks: onPath,
        steps: onPath.flatMap(([, { steps }]) => steps),
        result,
      },
    ]
  })
}, newest)

/** All written steps; steps that several paths share occur once. */
export const listWrittenSteps = (program: Program): ProgramStep[] =>
  listBlocks(program).flatMap(([, { steps }]) => steps)

/** The steps before a step of a block on its path. */
export function listStepsBefore(program: Program, block: BlockName, index: number): ProgramStep[] {
  const before = listBlocks(program).filter(([name]) => name !== block && isOnPath(name, block))
  return [
    ...before.flatMap(([, { steps }]) => steps),
    ...(findBlock(program, block)?.steps.slice(0, index) ?? []),
  ]
}

/** Every key that RESULT has on some path, without duplicates. */
export const listResultKeys = (program: Program): string[] => [
  ...new Set(listExecutionPaths(program).flatMap(({ result }) => result.map(({ key }) => key))),
]
