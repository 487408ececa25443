import type { Expr } from '@stateeval/contracts'
import { createRef, type RandomSource, type TraceScope } from '@stateeval/program'
import {
  type TensorArguments,
  type TensorEffect,
  type CallEffects,
  refuseEffect,
  type TensorOperation,
  applyEffects,
} from '../effects.ts'
import {
  createCandidate,
  drawInputs,
  enough,
  drawFreshTensor,
  type TensorHandle,
  type KnownTensors,
  listKnownTensors,
} from '../handles.ts'
import { count } from '../reference/array.ts'
import { cat as evaluate } from '../reference/movement.ts'
import { cat as say } from '../say/cat.ts'
import { computeCatShape } from '../shapes/movement.ts'
import { findDim } from '../shapes/outcome.ts'
import { createDimArgument } from '../spell.ts'
import { toStateTensor, type StateTensor, type TensorWorld } from '../state.ts'
import { joinSymbolic } from '../symbols.ts'

/** How often a fresh tensor is joined though there are others, and its most size along the dimension. */
const freshChance = 0.05
/** How often the whole output of a split is joined anew. */
const listChance = 0.15
const freshSize = 4

/** Joins tensors that agree in all dimensions but one. */
export const cat: TensorOperation = {
  id: 'cat',
  *solve(scope, rng) {
    const { handles, lists } = listKnownTensors(scope)
    const inputs = drawInputs(handles, 3, rng)
    let total = 0
    if (lists.length > 0 && rng.chance(listChance)) {
      const whole = joinWholeList(scope, rng.pick(lists), rng)
      if (whole) yield whole
    }
    const [first] = inputs
    const early = rng.chance(freshChance)
    if (first && early) {
      const added = withFresh(scope, first, rng)
      if (added) yield added
    }
    for (const one of inputs) {
      const fits = handles.filter(
        (other) => other !== one && listJoinDims([one, other], scope.world).length > 0,
      )
      const [partner, other] = drawInputs(fits, 2, rng)
      if (!partner) continue
      const both = rng.chance(0.5) ? [one, partner] : [partner, one]
      const three = other && rng.chance(0.2) ? [...both, other] : both
      const members = listJoinDims(three, scope.world).length > 0 ? three : both
      const tensors: Expr = { kind: 'list', items: members.map(({ reference }) => reference) }
      const dim = rng.pick(listJoinDims(members, scope.world))
      const joins = createCandidate(scope, say, findCatEffects, {
        tensors,
        ...createDimArgument(dim, one.tensor.shape.length, rng),
      })
      if (joins) yield joins
      if (joins && ++total === enough) return
    }
    if (first && total === 0 && !early) {
      const added = withFresh(scope, first, rng)
      if (added) yield added
    }
  },
  effects: findCatEffects,
  apply: (world, args) => applyEffects(world, findCatEffects(world, args)),
  tells: ['tensors'],
  gathers: { key: 'concatenated', path: [] },
  say,
}

type CatScope = TraceScope<TensorWorld>

/** The dimensions along which these can be joined within the bound. */
function listJoinDims(members: readonly Pick<TensorHandle, 'tensor'>[], { elements }: TensorWorld): number[] {
  const all = members.map(({ tensor }) => tensor.shape)
  const [first] = all
  if (!first || first.length === 0 || all.some((shape) => shape.length !== first.length)) return []
  if (all.reduce((sum, shape) => sum + count(shape), 0) > elements) return []
  const differing = first.flatMap((size, dim) => (all.some((shape) => shape[dim] !== size) ? [dim] : []))
  return differing.length > 1 ? [] : differing.length === 1 ? differing : first.map((_, dim) => dim)
}

/** All pieces of a split, put together along another dimension than that of the split. */
function joinWholeList(
  scope: CatScope,
  { reference, tensors }: KnownTensors['lists'][number],
  rng: RandomSource,
) {
  const dims = listJoinDims(
    tensors.map((tensor) => ({ tensor })),
    scope.world,
  )
  if (tensors.length < 2 || dims.length === 0) return null
  return createCandidate(scope, say, findCatEffects, {
    tensors: reference,
    ...createDimArgument(rng.pick(dims), (tensors[0] as StateTensor).shape.length, rng),
  })
}

/** The tensor and a fresh one that fits. */
function withFresh(scope: CatScope, { reference, tensor }: TensorHandle, rng: RandomSource) {
  const { shape } = tensor
  const room = scope.world.elements - count(shape)
  const choices = shape.flatMap((size, dim) =>
    Array.from({ length: freshSize }, (_, n) => n + 1).flatMap((length) =>
      (count(shape) / size) * length <= room ? [{ dim, length }] : [],
    ),
  )
  if (choices.length === 0) return null
  const { dim, length } = rng.pick(choices)
  const added = drawFreshTensor('user_tensor', shape.with(dim, length), rng)
  const items = rng.chance(0.5)
    ? [reference, createRef('user_tensor')]
    : [createRef('user_tensor'), reference]
  return createCandidate(
    scope,
    say,
    findCatEffects,
    { tensors: { kind: 'list', items }, ...createDimArgument(dim, shape.length, rng) },
    [added],
  )
}

function findCatEffects(world: TensorWorld, args: TensorArguments): CallEffects {
  const { tensors, dim = 0 } = args
  const unknown = Object.keys(args).find((name) => name !== 'tensors' && name !== 'dim')
  if (unknown !== undefined)
    return refuseEffect(() => `cat() got an unexpected keyword argument '${unknown}'`)
  if (!Array.isArray(tensors))
    return refuseEffect(
      () =>
        `cat(): argument 'tensors' (position 1) must be tuple of Tensors, not ${toStateTensor(tensors) ? 'Tensor' : typeof tensors}`,
    )
  const inputs: StateTensor[] = []
  for (const [n, value] of tensors.entries()) {
    const tensor = toStateTensor(value)
    if (!tensor) return refuseEffect(() => `expected Tensor as element ${n} in argument 0`)
    inputs.push(tensor)
  }
  const shaped = computeCatShape(
    inputs.map(({ shape }) => shape),
    dim,
  )
  if (!shaped.ok) return refuseEffect(() => shaped.says)
  const shape = shaped.shapes[0] as number[]
  const at = findDim(dim, shape.length) as number
  const make: TensorEffect = {
    shape,
    symbol: () => joinSymbolic(world, inputs, at),
    values: (elementsOf) => evaluate(inputs.map(elementsOf), at, shape),
  }
  return { ok: true, inputs, makes: [make] }
}
