/** The part that `bodies.ts` needs: threads load it, without the rest of the chassis. */
export { computes, reads } from './http/body-works.ts'
export { readTextLines } from './http/text-lines.ts'
export type { OperationBody } from './http/handler.ts'
export { isLong, maxInPlace } from './threads/is-long.ts'
export { type SchemaChecker, checker } from './validation.ts'
