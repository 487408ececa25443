/** Reviews of models' work, and people's decisions. */
import {
  computeContentId,
  type Manifest,
  ProblemError,
  type Review,
  type ReviewDecision,
} from '@stateeval/contracts'
import { fillPage, placeOf, type ServicePlatform } from '@stateeval/service-kit'
import {
  isEnded,
  type ResourceReader,
  requireBenchmark,
  type OwnerSource,
  describeBenchmark,
} from '@stateeval/jobs'
import type { BenchmarkSets } from '@stateeval/sets'
import {
  createProgramReviews,
  createTemplateReviews,
  type ProgramReviewSources,
} from '../reviews/programs.ts'
import {
  storeDecision,
  type DecisionStore,
  loadDecisions,
  type ReviewableBuild,
  loadReview,
} from '../reviews/reviewable.ts'
import { createTaskReviews, type TaskReviewSources } from '../reviews/tasks.ts'
import type { OperationRoute } from './route.ts'

/** Stores of builds that can be reviewed, and of their decisions. */
interface ReviewableBuilds extends OwnerSource, ProgramReviewSources, TaskReviewSources {}
interface ReviewedSets
  extends
    ReviewableBuilds,
    DecisionStore,
    ResourceReader,
    Pick<ServicePlatform, 'artifacts' | 'newId' | 'now'> {
  sets: BenchmarkSets
}

/** The build that they come from may be deleted meanwhile. */
const listNamedArtifacts = ({ files }: Manifest) =>
  Object.keys(files).flatMap((file) => (file.startsWith('artifacts/') ? file.slice('artifacts/'.length) : []))

export const listReviews: OperationRoute<'listReviews', ReviewableBuilds & DecisionStore> = async (
  { params: { id }, query: { limit = 50, cursor, status } },
  context,
) => {
  const build = await requireReviewable(context, id)
  let index = placeOf(cursor)
  /** `index` is the place of the review that was yielded last. */
  async function* reviews(): AsyncGenerator<Review> {
    for (; index < build.total; index++) {
      const evidence = await build.at(index)
      if (evidence && (status === undefined || evidence.status === status))
        yield await loadReview(context, build, evidence)
    }
  }
  const { items, more } = await fillPage(reviews(), limit)
  return { status: 200, body: { items, ...(more && { next: String(index) }) } }
}

export const decideReview: OperationRoute<
  'decideReview',
  ReviewableBuilds & DecisionStore & { now: () => Date }
> = async ({ params: { id, case: name }, body }, context) => ({
  status: 200,
  body: await storeDecision(context, await requireReviewable(context, id), name, body),
})

export const createReviewedBenchmark: OperationRoute<'createReviewedBenchmark', ReviewedSets> = async (
  { params: { id } },
  context,
) => {
  const build = await requireReviewable(context, id)
  const last = new Map<string, ReviewDecision>()
  for (let index = 0; index < build.total; index++) {
    const name = (await build.at(index))?.case
    const decision = name === undefined ? undefined : (await loadDecisions(context, id, name)).at(-1)
    if (name !== undefined && decision) last.set(name, decision)
  }
  const decisions = [...last].map(([name, { decision, instruction, task }]) => ({
    case: name,
    decision,
    instruction: instruction ?? null,
    ...(task !== undefined && { task }),
  }))
  if (decisions.length === 0)
    throw new ProblemError(
      'unprocessable',
      `no case has a decision yet; POST /v1/benchmarks/${id}/reviews/{case} decides about a case`,
    )
  const set = await build.follow(last)
  if (!set)
    throw new ProblemError('unprocessable', 'these decisions leave no case; accept or edit at least one')
  // The same decisions make the same resource.
  const reviewed = context.newId('bm', `reviewed/${id}/${computeContentId(decisions)}`)
  await context.artifacts.keep(listNamedArtifacts(set.manifest))
  await context.sets.store(reviewed, set)
  const at = context.now().toISOString()
  const original = await requireBenchmark(context, id)
  const { owner } = await context.owners.create({
    id: reviewed,
    entity: 'benchmark',
    origin: 'review',
    kind: original.kind,
    status: 'succeeded',
    stage: 'review',
    stages: { review: { total: build.total, partitions: 1 } },
    createdAt: at,
    finishedAt: at,
    reviewed: id,
    ...('build' in original && original.build && { build: original.build }),
    ...('writing' in original && original.writing && { writing: original.writing }),
    manifest: set.manifest,
  })
  return {
    status: 201,
    body: await describeBenchmark(context, owner),
    headers: { location: `/v1/benchmarks/${reviewed}` },
  }
}

/** A build whose instructions or tasks can be decided about: it has ended. */
async function requireReviewable(context: ReviewableBuilds, id: string): Promise<ReviewableBuild> {
  const owner = await requireBenchmark(context, id)
  const waiting = new ProblemError(
    'conflict',
    `the benchmark ${id} has nothing to review yet; wait until its build has ended`,
  )
  if (owner.origin === 'dataset') {
    if (!isEnded(owner) || owner.status === 'cancelled') throw waiting
    return createTaskReviews(context, owner)
  }
  if (owner.origin !== 'build')
    throw new ProblemError(
      'conflict',
      `${id} has nothing to review, because it was not built here; review the set that it was made from`,
    )
  if (!isEnded(owner) || owner.stage !== 'programs') throw waiting
  if (owner.build.translator === 'agents') return createProgramReviews(context, owner)
  if (owner.status !== 'succeeded') throw waiting
  return createTemplateReviews(context, owner)
}
