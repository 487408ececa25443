export { createEngine, type Engine } from './engine.ts'
export type { ItemAnswer, Counts, Host, ItemFlow, Next, Stage, Workflow } from './host.ts'
export { type Item, itemId, parseStep, type Step, stepId } from './item.ts'
export { stageOf } from './partitions.ts'
