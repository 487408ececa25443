export { createEngine, type WorkflowEngine } from './engine.ts'
export type {
  ItemAnswer,
  ItemCounts,
  WorkflowHost,
  ItemFlow,
  NextState,
  WorkflowStage,
  StagedWorkflow,
} from './host.ts'
export { type WorkflowItem, formatItemId, parseStep, type ItemStep, formatStepId } from './item.ts'
export { getStage } from './partitions.ts'
