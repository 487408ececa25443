export { createEngine, type Engine, type Waiting } from './engine.ts'
export type {
  ItemAnswer,
  Counts,
  Definition,
  EndStore,
  Host,
  ItemFlow,
  Next,
  Stage,
  Workflow,
} from './host.ts'
export { type Item, itemId, parseStep, type Step, stepId } from './item.ts'
export { stageOf } from './partitions.ts'
