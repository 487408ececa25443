export { createEngine, type WorkflowEngine } from './engine.ts'
export type {
  ItemAnswer,
  ItemCounts,
  WorkflowHost,
  ItemFlow,
  NextState,
  WorkflowStage,
  Workflow,
} from './host.ts'
export { type WorkflowItem, itemId, parseStep, type ItemStep, stepId } from './item.ts'
export { stageOf } from './partitions.ts'
