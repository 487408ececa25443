/**
 * An evaluation: probe (the first case's baseline check, which also tells the runtime), check (that of the others, unless it is
 * known for this runtime), samples, opinions (another model's of the failed ones, where one is asked), then the report.
 */
import { countsOfItem, type EvaluationItems, evaluationItem } from './evaluation-items.ts'
import { type EvaluationStages, evaluationStageEnded } from './evaluation-stages.ts'
import type { EvaluationOwner } from './owner.ts'
import type { Plan } from './plan.ts'

export const evaluationPlan = (context: EvaluationItems & EvaluationStages): Plan<EvaluationOwner> => ({
  item: (owner, stage, index) => evaluationItem(context, owner, stage, index),
  counts: countsOfItem,
  finished: (owner, stage) => evaluationStageEnded(context, owner, stage),
})
