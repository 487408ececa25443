/**
 * Reviews of a build's results, for each kind of build. Evidence is part of an item's outcome and never
 * changes. Decisions are inserted separately, with numbers, and the last one counts.
 */
import { ProblemError, type Review, type ReviewDecision } from '@stateeval/contracts'
import type { BenchmarkSet } from '@stateeval/program'
import type { FixedDocuments } from '@stateeval/service-kit'

/** A review without its decisions, which are stored separately. */
export type Evidence = Omit<Review, 'decisions'>

export interface Reviewable {
  id: string
  /** How many places evidence is looked for at. */
  total: number
  /** Null where nothing was made at that place. */
  at(index: number): Promise<Evidence | null>
  /** Throws a problem that says what a decision lacks. */
  check(index: number, evidence: Evidence, decision: ReviewDecision): Promise<void>
  /** The set that follows the last decision about each case; null where nothing is left. */
  follow(last: ReadonlyMap<string, ReviewDecision>): Promise<BenchmarkSet | null>
}

/** The store of decisions. */
export interface Decisions {
  reviews: Pick<FixedDocuments<StoredDecision>, 'get' | 'put'>
}

export type StoredDecision = ReviewDecision & { at: string }

const decisionId = (id: string, name: string, n: number) => `${id}/${name}#${String(n).padStart(4, '0')}`
export async function decisionsAbout(
  { reviews }: Decisions,
  id: string,
  name: string,
): Promise<StoredDecision[]> {
  const decisions: StoredDecision[] = []
  for (;;) {
    const next = await reviews.get(decisionId(id, name, decisions.length + 1))
    if (next === null) return decisions
    decisions.push(next)
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

/** Stores a decision. The problem names what it lacks. */
export async function decide(
  context: Decisions & { now: () => Date },
  build: Reviewable,
  name: string,
  decision: ReviewDecision,
): Promise<Review> {
  const { index, evidence } = await evidenceFor(build, name)
  await build.check(index, evidence, decision)
  const storedDecision: StoredDecision = { ...decision, at: context.now().toISOString() }
  let n = (await decisionsAbout(context, build.id, name)).length + 1
  while (!(await context.reviews.put(decisionId(build.id, name, n), storedDecision))) n++
  return reviewOf(context, build, evidence)
}

async function evidenceFor(build: Reviewable, name: string): Promise<{ index: number; evidence: Evidence }> {
  for (let index = 0; index < build.total; index++) {
    const evidence = await build.at(index)
    if (evidence?.case === name) return { index, evidence }
  }
  throw new ProblemError(
    'not-found',
    `the build ${build.id} has nothing to review under ${JSON.stringify(name)}; GET /v1/benchmarks/${build.id}/reviews lists all cases`,
  )
}
