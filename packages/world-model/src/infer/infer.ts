/** Inference of a world from an OpenAPI document, by rules alone. */
import type { SpecificationDocument } from '@stateeval/openapi'
import { inferEffect, stateEffects } from './effect.ts'
import { isProducible, type LinkedOperation, linkOperations } from './links.ts'
import { type DroppedPart, PathIndex, readApiOperations } from './operation.ts'
import { createFlattener, type FlattenSchema } from './schema.ts'

export interface InferredApi {
  operations: readonly LinkedOperation[]
  dropped: readonly DroppedPart[]
  flatten: FlattenSchema
}

/** Reads what the operations of a document do to which type, and where their arguments come from. */
export function inferApi(document: SpecificationDocument): InferredApi {
  const { operations, dropped } = readApiOperations(document)
  const flatten = createFlattener(document)
  const index = new PathIndex(operations)
  const inferred = operations.map((operation) => inferEffect(operation, index, flatten))
  return { operations: linkOperations(inferred, flatten), dropped, flatten }
}

export interface InferenceCounts {
  operations: number
  /** Operations with an effect that a state machine can follow. */
  stateEffects: number
  /** Operations whose path names something, and those of them whose every name can come from somewhere. */
  withPathIds: number
  producible: number
  types: number
}

export function countInference({ operations }: InferredApi): InferenceCounts {
  const withPathIds = operations.filter(({ needs }) => needs.some((need) => need.in === 'path'))
  return {
    operations: operations.length,
    stateEffects: operations.filter(({ effect }) => stateEffects.has(effect)).length,
    withPathIds: withPathIds.length,
    producible: withPathIds.filter(isProducible).length,
    types: new Set(operations.map(({ collection }) => collection)).size,
  }
}
