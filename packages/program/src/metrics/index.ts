export * from './adjacent-transitions.ts'
export {
  countBindings,
  findReadCalls,
  measureDataflow,
  measurePathDepth,
  updateOrigins,
  type ValueOrigin,
} from './dataflow.ts'
export * from './measure.ts'
export * from './released.ts'
export * from './spread.ts'
export * from './tokens.ts'
export * from './transition-pairs.ts'
