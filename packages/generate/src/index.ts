export { listFeasiblePairs } from './feasible.ts'
export {
  type GeneratedProgram,
  type GenerationSummary,
  generate,
  listOptInApis,
  selectOperations,
} from './generate.ts'
export {
  checkOptions,
  defaultOptions,
  type GenerateOptions,
  type StrategyId,
  strategyIds,
} from './options.ts'
export { generatorVersion } from './version.ts'
