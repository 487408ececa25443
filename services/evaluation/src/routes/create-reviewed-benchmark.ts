import { ProblemError } from '@stateeval/contracts'
import { contentId } from '@stateeval/program'
import type { Route } from '../context.ts'
import { outcomesOf } from '../engine/complete.ts'
import type { ProgramOutcome } from '../flows/program-flow.ts'
import { assemble } from '../owners/assemble.ts'
import { benchmarkResource } from '../resources.ts'
import { decisionsAbout, followed, reviewable } from '../reviews.ts'

export const createReviewedBenchmark: Route<'createReviewedBenchmark'> = async ({ params: { id } }, context) => {
  const build = await reviewable(context, id)
  const outcomes: ProgramOutcome[] = []
  const decisions: unknown[] = []
  for (const outcome of await outcomesOf<ProgramOutcome>(context, build, 'programs')) {
    const last = outcome.review && (await decisionsAbout(context, id, outcome.review.case.id)).at(-1)
    if (last) decisions.push({ case: outcome.review?.case.id, decision: last.decision, instruction: last.instruction ?? null })
    outcomes.push(followed(outcome, last))
  }
  if (decisions.length === 0)
    throw new ProblemError('unprocessable', `nothing is decided yet; POST /v1/benchmarks/${id}/reviews/{case} decides about an instruction`)
  const set = await assemble(context, build, outcomes)
  if (!set) throw new ProblemError('unprocessable', 'no program is left with these decisions; accept or edit some')
  // The same decisions make the same resource.
  const reviewed = context.newId('bm', `reviewed/${id}/${contentId(decisions)}`)
  await context.sets.store(reviewed, set)
  const at = context.now().toISOString()
  const { sets: _sets, agents: _agents, usage: _usage, error: _error, ...rest } = build
  const { owner } = await context.owners.create({
    ...rest,
    id: reviewed,
    status: 'succeeded',
    stage: 'review',
    stages: { review: { total: outcomes.length, window: 1 } },
    createdAt: at,
    finishedAt: at,
    origin: 'review',
    reviewed: id,
    manifest: set.manifest,
  })
  return { status: 201, body: await benchmarkResource(context, owner), headers: { location: `/v1/benchmarks/${reviewed}` } }
}
