/**
 * Reviews of a build's results, for each kind of build. Evidence is part of an item's outcome and never
 * changes. Decisions are inserted separately, with numbers, and the last one counts.
 */
import { ProblemError, type Review, type ReviewDecision } from '@stateeval/contracts'
import type { BenchmarkSet } from '@stateeval/program'
import type { FixedDocuments } from '@stateeval/service-kit'

/** A review without its decisions, which are stored separately. */
export type ReviewEvidence = Omit<Review, 'decisions'>

export interface ReviewableBuild {
  id: string
  /** How many places evidence is looked for at. */
  total: number
  /** Null where nothing was made at that place. */
  at(index: number): Promise<ReviewEvidence | null>
  /** Throws a problem that says what a decision lacks. */
  check(index: number, evidence: ReviewEvidence, decision: ReviewDecision): Promise<void>
  /** The set that follows the last decision about each case; null where nothing is left. */
  follow(last: ReadonlyMap<string, ReviewDecision>): Promise<BenchmarkSet | null>
}

/** The store of decisions. */
export interface DecisionStore {
  reviews: Pick<FixedDocuments<StoredDecision>, 'get' | 'put'>
}

export type StoredDecision = ReviewDecision & { at: string }

const formatDecisionId = (id: string, name: string, n: number) =>
  `${id}/${name}#${String(n).padStart(4, '0')}`
export async function loadDecisions(
  { reviews }: DecisionStore,
  id: string,
  name: string,
): Promise<StoredDecision[]> {
  const decisions: StoredDecision[] = []
  for (;;) {
    const next = await reviews.get(formatDecisionId(id, name, decisions.length + 1))
    if (next === null) return decisions
    decisions.push(next)
  }
}

export const loadReview = async (
  context: DecisionStore,
  { id }: ReviewableBuild,
  evidence: ReviewEvidence,
): Promise<Review> => ({
  ...evidence,
  decisions: await loadDecisions(context, id, evidence.case),
})

/** Stores a decision. The problem names what it lacks. */
export async function storeDecision(
  context: DecisionStore & { now: () => Date },
  build: ReviewableBuild,
  name: string,
  decision: ReviewDecision,
): Promise<Review> {
  const { index, evidence } = await findEvidence(build, name)
  await build.check(index, evidence, decision)
  const storedDecision: StoredDecision = { ...decision, at: context.now().toISOString() }
  let n = (await loadDecisions(context, build.id, name)).length + 1
  while (!(await context.reviews.put(formatDecisionId(build.id, name, n), storedDecision))) n++
  return loadReview(context, build, evidence)
}

async function findEvidence(
  build: ReviewableBuild,
  name: string,
): Promise<{ index: number; evidence: ReviewEvidence }> {
  for (let index = 0; index < build.total; index++) {
    const evidence = await build.at(index)
    if (evidence?.case === name) return { index, evidence }
  }
  throw new ProblemError(
    'not-found',
    `the build ${build.id} has nothing to review under ${JSON.stringify(name)}; GET /v1/benchmarks/${build.id}/reviews lists all cases`,
  )
}
