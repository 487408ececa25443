/**
 * What models made and what people decided about it. Evidence is part of how an item ended and never changes; decisions are
 * inserted beside it, numbered, and the last one counts.
 */
import { ProblemError, type Review, type ReviewDecision } from '@stateeval/contracts'
import { isEnded } from './owners/owner.ts'
import type { Owners } from './owners/owners.ts'
import { existingBenchmark } from './resources.ts'
import type { Evidence, Reviewable } from './reviews/kind.ts'
import { programReviews } from './reviews/programs.ts'
import { type TaskReviewSources, taskReviews } from './reviews/tasks.ts'
import type { SetSources } from './owners/assemble.ts'
import type { Once } from './store.ts'

/** Where evidence is, and what sets are made anew with. */
type ReviewSources = SetSources & TaskReviewSources & { owners: Owners }
interface Decisions {
  reviews: Pick<Once<StoredDecision>, 'get' | 'put'>
}

export type StoredDecision = ReviewDecision & { at: string }

/** A build whose instructions or tasks can be decided about: models made them, and it has ended. */
export async function reviewable(context: ReviewSources, id: string): Promise<Reviewable> {
  const owner = await existingBenchmark(context, id)
  const waiting = new ProblemError(
    'conflict',
    `the benchmark ${id} has nothing to review yet; wait until its build has ended`,
  )
  if (owner.origin === 'dataset') {
    if (!isEnded(owner) || owner.status === 'cancelled') throw waiting
    return taskReviews(context, owner)
  }
  if (owner.origin !== 'build' || owner.build.translator !== 'agents')
    throw new ProblemError(
      'conflict',
      `neither agents nor a model made the instructions of ${id} here; there is nothing to review`,
    )
  if (!isEnded(owner) || owner.stage !== 'programs') throw waiting
  return programReviews(context, owner)
}

const decisionId = (id: string, name: string, n: number) => `${id}/${name}#${String(n).padStart(4, '0')}`
export async function decisionsAbout(
  { reviews }: Decisions,
  id: string,
  name: string,
): Promise<StoredDecision[]> {
  const found: StoredDecision[] = []
  for (;;) {
    const next = await reviews.get(decisionId(id, name, found.length + 1))
    if (next === null) return found
    found.push(next)
  }
}

export const reviewOf = async (
  context: Decisions,
  { id }: Reviewable,
  evidence: Evidence,
): Promise<Review> => ({
  ...evidence,
  decisions: await decisionsAbout(context, id, evidence.case),
})

/** Keeps a decision. The problem says what the decision lacks. */
export async function decide(
  context: Decisions & { now: () => Date },
  build: Reviewable,
  name: string,
  decision: ReviewDecision,
): Promise<Review> {
  const { index, evidence } = await evidenceFor(build, name)
  await build.check(index, evidence, decision)
  const stored: StoredDecision = { ...decision, at: context.now().toISOString() }
  let n = (await decisionsAbout(context, build.id, name)).length + 1
  while (!(await context.reviews.put(decisionId(build.id, name, n), stored))) n++
  return reviewOf(context, build, evidence)
}

async function evidenceFor(build: Reviewable, name: string): Promise<{ index: number; evidence: Evidence }> {
  for (let index = 0; index < build.total; index++) {
    const evidence = await build.at(index)
    if (evidence?.case === name) return { index, evidence }
  }
  throw new ProblemError(
    'not-found',
    `the build ${build.id} has nothing to review under ${JSON.stringify(name)}; GET /v1/benchmarks/${build.id}/reviews lists what there is`,
  )
}
