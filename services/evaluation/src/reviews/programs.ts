/** Instructions that agents wrote for programs. The evidence is part of the outcome of a program's item. */
import { type BuildOptions, ProblemError, type ReviewDecision } from '@stateeval/contracts'
import type { ProgramOutcome } from '@stateeval/flows'
import type { BenchmarkBuild, BuildEvidence } from '@stateeval/program'
import { type BuildOwner, loadOutcome, type OutcomeReader, outcomesOf } from '@stateeval/jobs'
import { assembleSet, getBuild, type SetSources } from '@stateeval/sets'
import type { ReviewEvidence, ReviewableBuild } from './reviewable.ts'

export function createProgramReviews(
  context: SetSources & OutcomeReader,
  owner: BuildOwner,
): ReviewableBuild {
  const { review: rules } = getBuild(context, owner.kind).build
  if (!rules) throw new Error(`this version does not review sets of ${owner.kind}`)
  /** How the n-th program of the build ended; null where it never did. */
  const outcomeOf = (index: number) =>
    loadOutcome<ProgramOutcome>(context, { workflow: owner.id, stage: 'programs', index })
  return {
    id: owner.id,
    total: owner.stages['programs']?.total ?? 0,
    async at(index) {
      const review = (await outcomeOf(index))?.review
      return review ? buildProgramEvidence(review, rules, owner.build) : null
    },
    async check(index, _evidence, decision) {
      const review = (await outcomeOf(index))?.review
      if (review) check(review, rules, decision)
    },
    async follow(last) {
      const outcomes = (await outcomesOf<ProgramOutcome>(context, owner, 'programs')).map((outcome) =>
        applyDecision(outcome, rules, outcome.review && last.get(outcome.review.case.id)),
      )
      return assembleSet(context, owner, outcomes)
    },
  }
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
  outcome: ProgramOutcome,
  rules: ReviewRules,
  decision: ReviewDecision | undefined,
): ProgramOutcome {
  const { review, retries, usage, asking } = outcome
  if (!decision || !review) return outcome
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
