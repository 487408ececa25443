/** Exports that a service's `bodies.ts` needs: threads load it, without the rest of the chassis. */
export { declareBodyComputation, declareBodyReader } from './http/body-works.ts'
export { readTextLines } from './http/text-lines.ts'
export type { OperationBody } from './http/handler.ts'
export { isLong, maxInPlace } from './threads/is-long.ts'
export { type SchemaChecker, createChecker } from './validation.ts'
