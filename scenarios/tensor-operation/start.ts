/** RandomInit: a picture, what goes well with it, and now and then a tensor of another rank. */
import type { JsonValue, Variable } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { createDraft } from './handles.ts'
import { isLarge } from './large.ts'
import { count } from './reference/array.ts'

/** The least bound that every API can be called under. */
export const leastElements = 64

/**
 * Draws 2 or 3 tensors `user_tensor_i` of 1 to 8 elements a side: the first has 4 dimensions, so that it can
 * be convolved; the second agrees with it in all dimensions but one, so that they can be joined. None has
 * more than a quarter of the bound. In a large world the first one has an eighth of it at least.
 */
export function start(elements: number, rng: RandomSource): { variables: Variable[]; world: JsonValue } {
  const room = Math.floor(elements / 4)
  const drawn = [
    rng.int(1, 3),
    rng.weighted([1, 2, 3, 4, 6], (size) => (size === 1 ? 1 : 3)),
    rng.int(3, 8),
    rng.int(3, 8),
  ]
  const first = isLarge(elements) ? growPicture(drawn, room, rng) : fitWithin(drawn, room)
  const dim = rng.int(0, 3)
  const second = fitWithin(rng.chance(0.35) ? first : first.with(dim, rng.int(1, 6)), room, dim)
  const third = rng.pick([
    [rng.int(2, 6), first[3] as number],
    [rng.int(2, 4), rng.int(2, 6), rng.int(2, 6)],
    [first[0] as number, first[1] as number, rng.int(2, 6)],
  ])
  const shapes = [first, second, ...(rng.chance(0.4) ? [fitWithin(third, room)] : [])]
  const variables = shapes.map((shape, index): Variable => {
    const name = `user_tensor_${index}`
    return { name, role: 'user', values: [createDraft(name, shape, rng)] }
  })
  return { variables, world: { elements } }
}

/** The shape with its largest sides (or the one that is given) made smaller until it is within the bound. */
function fitWithin(shape: readonly number[], room: number, side?: number): number[] {
  const fitted = [...shape]
  while (count(fitted) > room) {
    const largest =
      side !== undefined && (fitted[side] as number) > 1 ? side : fitted.indexOf(Math.max(...fitted))
    fitted[largest] = (fitted[largest] as number) - 1
  }
  return fitted
}

/** The picture with as many elements as there is room for, down to half of it; sides within 1:2 and 2:1. */
function growPicture([images, channels]: readonly number[], room: number, rng: RandomSource): number[] {
  const plane = (room * (0.5 + 0.5 * rng.unit())) / ((images as number) * (channels as number))
  const height = Math.floor(Math.sqrt(plane * (0.5 + 1.5 * rng.unit())))
  return [images as number, channels as number, height, Math.floor(plane / height)]
}
