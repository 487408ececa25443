/** What a benchmark is built from decides how: programs of scenarios, or a specification that a model writes tasks for. */
import { type BuildParts, buildPlan } from './build-plan.ts'
import type { BenchmarkOwner } from './owner.ts'
import type { Plan } from './plan.ts'
import { type DatasetParts, writingPlan } from './writing-plan.ts'

export function benchmarkPlan(context: BuildParts & DatasetParts): Plan<BenchmarkOwner> {
  const plans = { build: buildPlan(context), dataset: writingPlan(context) }
  const planOf = ({ id, origin }: BenchmarkOwner): Plan<BenchmarkOwner> => {
    if (origin === 'build' || origin === 'dataset') return plans[origin]
    throw new Error(`${id} was made at once: it has no items`)
  }
  return {
    item: (owner, stage, index) => planOf(owner).item(owner, stage, index),
    counts: (outcome, owner) => planOf(owner).counts(outcome, owner),
    finished: (owner, stage) => planOf(owner).finished(owner, stage),
  }
}
