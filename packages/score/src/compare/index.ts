export { compare, type ComparedOutcome } from './compare.ts'
export { Ids } from './ids.ts'
export { Labels, labelsOf } from './labels.ts'
export { toleranceOf } from './tensors.ts'
