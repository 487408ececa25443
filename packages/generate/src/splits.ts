/** Where the ifs of a program stand, drawn before its calls. */
import { maxBranchDepth } from '@stateeval/contracts'
import { branchSides, type RandomSource } from '@stateeval/program'
import type { GenerateOptions } from './options.ts'

/** An if after so many calls of a path, and those at the ends of its branches. */
export interface SplitPlan {
  at: number
  then?: SplitPlan | undefined
  otherwise?: SplitPlan | undefined
}

/** Ifs as a tree, without their places. */
interface SplitTree {
  then?: SplitTree
  otherwise?: SplitTree
}

/** Draws the ifs of a program; null: a straight one. `index`: the randomness of all its draws. */
export function drawSplits(
  { controlFlow, branches, length }: Pick<GenerateOptions, 'controlFlow' | 'branches' | 'length'>,
  rng: RandomSource,
  index: RandomSource,
): SplitPlan | null {
  if (!controlFlow) return null
  if (branches === undefined) {
    const at = rng.int(0, length - 1)
    return at === 0 ? null : { at }
  }
  const whole = Math.floor(branches)
  const count = whole + Number(index.fork('branches').chance(branches - whole))
  if (count === 0) return null
  return placeSplits(
    drawTree(count, Math.min(maxBranchDepth, length - 1), index.fork('nesting')),
    1,
    length,
    rng,
  )
}

/** A tree of so many ifs: each stands at the end of any branch that is left, down to a depth. */
function drawTree(count: number, maxDepth: number, rng: RandomSource): SplitTree {
  const tree: SplitTree = {}
  const nodes = [{ tree, depth: 1 }]
  for (let made = 1; made < count; made++) {
    const open = nodes.flatMap((node) =>
      node.depth < maxDepth
        ? branchSides.filter((side) => !node.tree[side]).map((side) => ({ node, side }))
        : [],
    )
    const { node, side } = rng.pick(open)
    const further: SplitTree = {}
    node.tree[side] = further
    nodes.push({ tree: further, depth: node.depth + 1 })
  }
  return tree
}

/** How many ifs follow each other on a path, at most. */
const measureHeight = (tree: SplitTree | undefined): number =>
  tree ? 1 + Math.max(measureHeight(tree.then), measureHeight(tree.otherwise)) : 0

/** Places for the ifs, at least a call apart. */
function placeSplits(tree: SplitTree, from: number, length: number, rng: RandomSource): SplitPlan {
  const at = rng.int(from, length - measureHeight(tree))
  const [then, otherwise] = branchSides.map((side) => {
    const further = tree[side]
    return further && placeSplits(further, at + 1, length, rng.fork(side))
  })
  return { at, then, otherwise }
}

/** The calls that a path and those beside it have after so many calls. */
export const countSites = (splits: SplitPlan | null | undefined, from: number, length: number): number =>
  splits
    ? splits.at -
      from +
      countSites(splits.then, splits.at, length) +
      countSites(splits.otherwise, splits.at, length)
    : length - from
