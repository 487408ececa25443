/**
 * Instructions of programs. Where agents wrote them, the evidence is part of the outcome of a program's item;
 * where the template translator did, the cases of the set are reviewed.
 */
import { type BuildOptions, type Case, ProblemError, type ReviewDecision } from '@stateeval/contracts'
import type { ProgramOutcome } from '@stateeval/flows'
import type { BenchmarkBuild, BenchmarkSet, BuildEvidence } from '@stateeval/program'
import { type BuildOwner, loadOutcome, type OutcomeReader, outcomesOf } from '@stateeval/jobs'
import { assembleSet, type BenchmarkSets, getBuild, listScenarios, type SetSources } from '@stateeval/sets'
import type { ReviewEvidence, ReviewableBuild } from './reviewable.ts'

export type ProgramReviewSources = SetSources & OutcomeReader & { sets: Pick<BenchmarkSets, 'case' | 'ids'> }

/** Reviews of a build by agents: what they gave up is reviewed, too. */
export async function createProgramReviews(
  context: ProgramReviewSources,
  owner: BuildOwner,
): Promise<ReviewableBuild> {
  // Its model is read now: decisions are checked against it.
  await listScenarios(context, owner.build)
  const rules = requireRules(context, owner)
  /** What agents did for the n-th program of the build; undefined where it never ended. */
  const evidenceOf = async (index: number) =>
    (await loadOutcome<ProgramOutcome>(context, { workflow: owner.id, stage: 'programs', index }))?.review
  return {
    id: owner.id,
    total: owner.stages['programs']?.total ?? 0,
    async at(index) {
      const review = await evidenceOf(index)
      return review ? buildProgramEvidence(review, rules, owner.build) : null
    },
    async check(index, _evidence, decision) {
      const review = await evidenceOf(index)
      if (review) check(review, rules, decision)
    },
    follow: (last) => followDecisions(context, owner, rules, last),
  }
}

/** Reviews of a build by templates: the cases of its set, all of which were read back. */
export async function createTemplateReviews(
  context: ProgramReviewSources,
  owner: BuildOwner,
): Promise<ReviewableBuild> {
  // Its model is read now: decisions are checked against it.
  await listScenarios(context, owner.build)
  const rules = requireRules(context, owner)
  const evidenceOf = async (index: number) =>
    createTemplateEvidence((await context.sets.case(owner.id, index)) as Case)
  const { length: total } = await context.sets.ids(owner.id)
  return {
    id: owner.id,
    total,
    at: async (index) => buildProgramEvidence(await evidenceOf(index), rules, owner.build),
    check: async (index, _evidence, decision) => check(await evidenceOf(index), rules, decision),
    follow: (last) => followDecisions(context, owner, rules, last),
  }
}

const createTemplateEvidence = (c: Case): BuildEvidence => ({
  ...{ status: 'verified', case: c, dialogue: [], tries: [] },
})

/** The set that was reviewed, without what was rejected, and with what a person accepted. */
async function followDecisions(
  context: ProgramReviewSources,
  owner: BuildOwner,
  rules: ReviewRules,
  last: ReadonlyMap<string, ReviewDecision>,
): Promise<BenchmarkSet | null> {
  const kept = new Set(owner.status === 'succeeded' ? await context.sets.ids(owner.id) : [])
  const ends = (await outcomesOf<ProgramOutcome>(context, owner, 'programs')).map((outcome) => {
    const passed = outcome.status === 'passed' ? (outcome.case as Case) : undefined
    const review = outcome.review ?? (passed && createTemplateEvidence(passed))
    const decision = review && last.get(review.case.id)
    if (decision) return applyDecision({ ...outcome, review }, rules, decision)
    // It takes no other's place.
    return passed && !kept.has(passed.id) ? createUnsampled(outcome) : outcome
  })
  // A sample of them would leave out what a person accepted.
  const passed = ends.filter(({ status }) => status === 'passed').length
  const build = { ...owner.build, keep: Math.max(owner.build.keep, passed) }
  return assembleSet(context, { ...owner, build }, ends)
}

/** The end of a program that passed and is not in the set which was reviewed. */
const createUnsampled = ({ retries, usage, asking }: ProgramOutcome): ProgramOutcome => ({
  ...{ status: 'dropped', phase: 'review', reason: 'not in the reviewed set', detail: '', retries },
  ...(usage && { usage }),
  ...(asking && { asking }),
})

function requireRules(context: SetSources, { id, kind }: BuildOwner): ReviewRules {
  const { review } = getBuild(context, kind).build
  if (review) return review
  throw new ProblemError('conflict', `${id} has nothing to review: sets of ${kind} are not reviewed`)
}
type ReviewRules = NonNullable<BenchmarkBuild['review']>

const buildProgramEvidence = (
  { status, reason, case: c, dialogue, tries }: BuildEvidence,
  rules: ReviewRules,
  options: BuildOptions,
): ReviewEvidence => ({
  case: c.id,
  status,
  ...(reason !== undefined && { reason }),
  instruction: c.instruction === '' ? null : c.instruction,
  ...rules.show(c, options),
  dialogue,
  tries,
})

function check(
  { case: c }: BuildEvidence,
  rules: ReviewRules,
  { instruction, decision: what, task, answers }: ReviewDecision,
): void {
  if (task !== undefined || answers !== undefined)
    throw new ProblemError(
      'unprocessable',
      'only tasks that a model wrote have a solution to edit, and questions to answer',
      task === undefined ? '/answers' : '/task',
    )
  if ((what === 'edit') !== (instruction !== undefined))
    throw new ProblemError(
      'unprocessable',
      what === 'edit' ? 'edit needs the new instruction' : `${what} takes no instruction; use edit`,
      '/instruction',
    )
  if (what === 'accept' && c.instruction === '')
    throw new ProblemError(
      'unprocessable',
      'there is no instruction to accept; write one with edit',
      '/decision',
    )
  const text = instruction ?? (what === 'accept' ? c.instruction : null)
  const fault = text === null ? null : rules.faultOf(c, text)
  if (fault !== null) throw new ProblemError('unprocessable', fault, '/instruction')
}

/** How a program ended once the last decision about it is followed. */
function applyDecision(
  outcome: ProgramOutcome & { review: BuildEvidence },
  rules: ReviewRules,
  decision: ReviewDecision,
): ProgramOutcome {
  const { review, retries, usage, asking } = outcome
  const about = { retries, review, ...(usage && { usage }), ...(asking && { asking }) }
  if (decision.decision === 'reject')
    return {
      ...about,
      status: 'dropped',
      phase: 'review',
      reason: 'rejected by a person',
      detail: decision.because,
    }
  const instruction = decision.instruction ?? review.case.instruction
  return {
    ...about,
    status: 'passed',
    case: rules.decided(review.case, instruction, decision.decision),
    runtimes: 'runtimes' in outcome ? outcome.runtimes : [],
  }
}
