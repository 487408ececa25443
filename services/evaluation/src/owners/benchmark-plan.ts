/** What a benchmark is built from decides how: programs of scenarios, or a specification that a model writes tasks for. */
import { buildPlan } from './build-plan.ts'
import type { BenchmarkOwner } from './owner.ts'
import type { Plan } from './plan.ts'
import { isWriting } from './task-source.ts'
import { writingPlan } from './writing-plan.ts'

export const benchmarkPlan: Plan<BenchmarkOwner> = {
  item: (context, owner, stage, index) =>
    isWriting(owner)
      ? writingPlan.item(context, owner, stage, index)
      : buildPlan.item(context, owner, stage, index),
  counts: (out, owner) => (isWriting(owner) ? writingPlan.counts(out, owner) : buildPlan.counts(out, owner)),
  finished: (context, owner, stage) =>
    isWriting(owner)
      ? writingPlan.finished(context, owner, stage)
      : buildPlan.finished(context, owner, stage),
}
