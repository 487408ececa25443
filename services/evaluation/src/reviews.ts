/**
 * What agents made and what people decided about it. Evidence is part of how a program's item ended and never changes;
 * decisions are inserted beside it, numbered, and the last one counts.
 */
import { type BuildOptions, ProblemError, type Review, type ReviewDecision } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { leaksOf } from '@stateeval/translate'
import type { EvaluationContext } from './context.ts'
import { itemId } from './engine/item.ts'
import type { ProgramOutcome } from './flows/program-flow.ts'
import type { AgentEvidence } from './flows/round-trip.ts'
import { type BenchmarkOwner, isEnded } from './owners/owner.ts'
import { existingBenchmark } from './resources.ts'

export type StoredDecision = ReviewDecision & { at: string }

/** A build whose instructions can be decided about: agents made them, and it has ended. */
export async function reviewable(context: EvaluationContext, id: string): Promise<BenchmarkOwner & { build: BuildOptions }> {
  const owner = await existingBenchmark(context, id)
  const { build } = owner
  if (build?.translator !== 'agents' || owner.origin !== 'build')
    throw new ProblemError('conflict', `the instructions of ${id} were not made by agents here; there is nothing to review`)
  if (!isEnded(owner) || owner.stage !== 'programs')
    throw new ProblemError('conflict', `the benchmark ${id} has no instructions yet; wait until its build has ended`)
  return { ...owner, build }
}

/** How the n-th program of a build ended; null where it never did. */
export async function outcomeAt(context: EvaluationContext, { id }: BenchmarkOwner, index: number): Promise<ProgramOutcome | null> {
  const ended = await context.results.get(itemId({ owner: id, stage: 'programs', index }))
  return ended && ((await context.artifacts.unpack(ended.payload)) as ProgramOutcome)
}

export async function decisionsAbout({ reviews }: EvaluationContext, id: string, name: string): Promise<StoredDecision[]> {
  const found: StoredDecision[] = []
  for (;;) {
    const next = await reviews.get(decisionId(id, name, found.length + 1))
    if (next === null) return found
    found.push(next)
  }
}
const decisionId = (id: string, name: string, n: number) => `${id}/${name}#${String(n).padStart(4, '0')}`

export async function reviewOf(
  context: EvaluationContext,
  { id, build }: BenchmarkOwner & { build: BuildOptions },
  evidence: AgentEvidence,
): Promise<Review> {
  const { status, reason, case: c, dialogue, tries } = evidence
  return {
    case: c.id,
    program: c.program.id,
    status,
    ...(reason !== undefined && { reason }),
    instruction: c.instruction === '' ? null : c.instruction,
    code: emit(c.program, build.languages[0] ?? 'javascript') ?? '',
    dialogue,
    tries,
    decisions: await decisionsAbout(context, id, c.id),
  }
}

/** Keeps a decision. The problem says what the decision lacks. */
export async function decide(
  context: EvaluationContext,
  owner: BenchmarkOwner & { build: BuildOptions },
  name: string,
  decision: ReviewDecision,
): Promise<Review> {
  const evidence = await evidenceFor(context, owner, name)
  const { instruction, decision: what } = decision
  if ((what === 'edit') !== (instruction !== undefined))
    throw new ProblemError(
      'unprocessable',
      what === 'edit' ? 'edit needs the new instruction' : `${what} takes no instruction; use edit`,
      '/instruction',
    )
  if (what === 'accept' && evidence.case.instruction === '')
    throw new ProblemError('unprocessable', 'there is no instruction to accept; write one with edit', '/decision')
  const text = instruction ?? (what === 'accept' ? evidence.case.instruction : null)
  const leaks = text === null ? [] : leaksOf(text, evidence.case.program)
  if (leaks.length > 0) {
    const named = leaks.map(({ variable, value }) => `${JSON.stringify(value)} of ${variable}`).join(', ')
    throw new ProblemError(
      'unprocessable',
      `the instruction gives initial values away: ${named}; name the variables instead`,
      '/instruction',
    )
  }
  const stored: StoredDecision = { ...decision, at: context.now().toISOString() }
  let n = (await decisionsAbout(context, owner.id, name)).length + 1
  while (!(await context.reviews.put(decisionId(owner.id, name, n), stored))) n++
  return reviewOf(context, owner, evidence)
}

async function evidenceFor(context: EvaluationContext, owner: BenchmarkOwner, name: string): Promise<AgentEvidence> {
  const { total = 0 } = owner.stages['programs'] ?? {}
  for (let index = 0; index < total; index++) {
    const review = (await outcomeAt(context, owner, index))?.review
    if (review?.case.id === name) return review
  }
  throw new ProblemError(
    'not-found',
    `the build ${owner.id} has no instruction for ${JSON.stringify(name)}; GET /v1/benchmarks/${owner.id}/reviews lists those there are`,
  )
}

/** How a program ended once the last decision about it is followed. */
export function followed(outcome: ProgramOutcome, decision: ReviewDecision | undefined): ProgramOutcome {
  const { review, retries, usage } = outcome
  if (!decision || !review) return outcome
  const about = { retries, review, ...(usage && { usage }) }
  if (decision.decision === 'reject')
    return { ...about, status: 'dropped', phase: 'review', reason: 'rejected by a person', detail: decision.because }
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
