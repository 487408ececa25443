/** The calls whose output a call uses, also through local edits and edited values (StateEval, Table I). */
import type { Program, VariableReference, ProgramStep } from '@stateeval/contracts'
import { isCall, type ValuePath, listReferences } from '../expr.ts'
import { memoize } from '../memoized.ts'
import { listExecutionPaths } from '../blocks.ts'

/** A place in a variable whose value came from a call; calls are numbered along the path from 0. */
export interface ValueOrigin {
  variable: string
  path: ValuePath
  call: number
}

/** Tells whether two places of one variable overlap: one contains the other. */
export function hasOverlap(a: ValuePath, b: ValuePath): boolean {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false
  return true
}

/** The calls whose outputs a reference reads. */
const findProducers = (origins: readonly ValueOrigin[], { variable, path }: VariableReference) =>
  new Set(
    origins
      .filter((origin) => origin.variable === variable && hasOverlap(origin.path, path))
      .map(({ call }) => call),
  )

/** The calls whose outputs a step reads. What an edit overwrites, it doesn't read. */
export function findReadCalls(origins: readonly ValueOrigin[], step: ProgramStep): Set<number> {
  const readReferences = isCall(step) ? listReferences(step) : listReferences(step).slice(0, -1)
  return new Set(readReferences.flatMap((reference) => [...findProducers(origins, reference)]))
}

/** The origins after a step; `call` is the number of a call on its path. */
export function updateOrigins(
  origins: readonly ValueOrigin[],
  step: ProgramStep,
  call: number,
): readonly ValueOrigin[] {
  if (isCall(step)) return step.binds ? [...origins, { variable: step.binds, path: [], call }] : origins
  const { variable, path } = step.target
  const keptOrigins = origins.filter(
    (origin) =>
      origin.variable !== variable || origin.path.length < path.length || !hasOverlap(origin.path, path),
  )
  return [
    ...keptOrigins,
    ...[...findReadCalls(origins, step)].map((from) => ({ variable, path, call: from })),
  ]
}

/** A call that uses another's output, as places in the path. */
interface CallBinding {
  from: number
  to: number
}

/** The data flow between the calls of one path. */
function listBindings(steps: readonly ProgramStep[]): CallBinding[] {
  let origins: readonly ValueOrigin[] = []
  let call = 0
  return steps.flatMap((step) => {
    const links = isCall(step) ? [...findReadCalls(origins, step)].map((from) => ({ from, to: call })) : []
    origins = updateOrigins(origins, step, call)
    if (isCall(step)) call++
    return links
  })
}

interface PathDataflow {
  /** The length of the longest chain that ends at a call, by its number; absent where none does. */
  depths: readonly number[]
  /** The longest of them. */
  depth: number
  bindings: number
}

/** The data flow of the steps of one path. */
export const measureDataflow = memoize((steps: readonly ProgramStep[]): PathDataflow => {
  const depths: number[] = []
  let depth = 0
  const bindings = listBindings(steps)
  for (const { from, to } of bindings) {
    depths[to] = Math.max(depths[to] ?? 0, (depths[from] ?? 0) + 1)
    depth = Math.max(depth, depths[to])
  }
  return { depths, depth, bindings: bindings.length }
})

/** The longest producer-to-consumer chain over all paths, in edges. */
export const measurePathDepth = (program: Program): number =>
  Math.max(...listExecutionPaths(program).map(({ steps }) => measureDataflow(steps).depth))

/** The number of distinct pairs of a call's output and a call that uses it, over all branches. */
export function countBindings(program: Program): number {
  const pairs = listExecutionPaths(program).flatMap(({ blocks, steps }) => {
    const names = blocks.flatMap(([block, { steps: own }]) =>
      own.filter(isCall).map((_, call) => `${block} ${call}`),
    )
    return listBindings(steps).map(({ from, to }) => `${names[from]} > ${names[to]}`)
  })
  return new Set(pairs).size
}
