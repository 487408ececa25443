/** Instructions that agents made for programs. Evidence is part of how a program's item ended. */
import { type BuildOptions, ProblemError, type ReviewDecision } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { leaksOf } from '@stateeval/translate'
import type { ProgramOutcome } from '../flows/program-flow.ts'
import type { AgentEvidence } from '../flows/round-trip.ts'
import { assemble, type SetSources } from '../owners/assemble.ts'
import type { BuildOwner } from '../owners/owner.ts'
import { outcomeAt, type OutcomeReader, outcomesOf } from '../owners/stage.ts'
import type { Evidence, Reviewable } from './kind.ts'

export function programReviews(context: SetSources & OutcomeReader, owner: BuildOwner): Reviewable {
  /** How the n-th program of the build ended; null where it never did. */
  const ended = (index: number) =>
    outcomeAt<ProgramOutcome>(context, { workflow: owner.id, stage: 'programs', index })
  return {
    id: owner.id,
    total: owner.stages['programs']?.total ?? 0,
    async at(index) {
      const review = (await ended(index))?.review
      return review ? evidenceOf(review, owner.build) : null
    },
    async check(index, _evidence, decision) {
      const review = (await ended(index))?.review
      if (review) check(review, decision)
    },
    async follow(last) {
      const outcomes = (await outcomesOf<ProgramOutcome>(context, owner, 'programs')).map((outcome) =>
        followed(outcome, outcome.review && last.get(outcome.review.case.id)),
      )
      return assemble(context, owner, outcomes)
    },
  }
}

const evidenceOf = (
  { status, reason, case: c, dialogue, tries }: AgentEvidence,
  { languages }: BuildOptions,
): Evidence => ({
  case: c.id,
  program: c.program.id,
  status,
  ...(reason !== undefined && { reason }),
  instruction: c.instruction === '' ? null : c.instruction,
  code: emit(c.program, languages[0] ?? 'javascript') ?? '',
  dialogue,
  tries,
})

function check(
  { case: c }: AgentEvidence,
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
  const leaks = text === null ? [] : leaksOf(text, c.program)
  if (leaks.length > 0) {
    const named = leaks.map(({ variable, value }) => `${JSON.stringify(value)} of ${variable}`).join(', ')
    throw new ProblemError(
      'unprocessable',
      `the instruction gives initial values away: ${named}; name the variables instead`,
      '/instruction',
    )
  }
}

/** How a program ended once the last decision about it is followed. */
function followed(outcome: ProgramOutcome, decision: ReviewDecision | undefined): ProgramOutcome {
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
  const edited = decision.decision === 'edit'
  const instruction = decision.instruction ?? review.case.instruction
  const flags = [...review.case.flags, edited ? 'edited_in_review' : 'accepted_in_review']
  return {
    ...about,
    status: 'passed',
    case: { ...review.case, instruction, flags },
    runtimes: 'runtimes' in outcome ? outcome.runtimes : [],
  }
}
