/**
 * Tasks that a model wrote for a specification: reviewed by the benchmark's questions. An edit is checked
 * against the specification.
 */
import { ProblemError, type ReviewDecision, type TaskCase } from '@stateeval/contracts'
import type { WritingOutcome } from '@stateeval/flows'
import type { PromptWriting, WrittenTask } from '@stateeval/program'
import { type DatasetOwner, type ItemEnds, loadOutcome, type OutcomeReader } from '@stateeval/jobs'
import {
  assembleTasks,
  type DistantSource,
  listTargetEnds,
  loadProofs,
  loadTaskSource,
  type TaskSources,
  getWriting,
} from '../owners/task-source.ts'
import type { ReviewEvidence, ReviewableBuild } from './reviewable.ts'

/** The sources of tasks, and the written tasks. */
export type TaskReviewSources = TaskSources & OutcomeReader & ItemEnds

export async function createTaskReviews(
  context: TaskReviewSources,
  owner: DatasetOwner,
): Promise<ReviewableBuild> {
  const taskSource = await loadTaskSource(context, owner)
  const writing = getWriting(context, owner)
  const tasks = await loadWritten(context, owner)
  const proofs = owner.stage === 'proofs' ? await loadProofs(context, owner) : []
  const faults = new Map(proofs.map(({ case: id, fault }) => [id, fault]))
  const nameOf = ({ index }: WrittenTask) => taskSource.targets[index]?.case ?? ''
  const edited = (one: WrittenTask, decision: ReviewDecision) => applyEdit(taskSource, one, decision)

  return {
    id: owner.id,
    total: tasks.length,
    async at(index) {
      const one = tasks[index]
      return one ? buildTaskEvidence(writing, taskSource, one, nameOf(one), faults) : null
    },
    async check(index, evidence, decision) {
      const one = tasks[index] as WrittenTask
      const { decision: what, instruction, task } = decision
      if (what !== 'edit' && (instruction !== undefined || task !== undefined))
        throw new ProblemError(
          'unprocessable',
          `${what} takes no instruction and no task; use edit`,
          task === undefined ? '/instruction' : '/task',
        )
      if (what === 'edit' && instruction === undefined && task === undefined)
        throw new ProblemError(
          'unprocessable',
          `edit needs the new instruction, the new task (${writing.solution.name}), or both`,
          '/instruction',
        )
      if (what === 'accept' && evidence.status !== 'verified')
        throw new ProblemError(
          'unprocessable',
          `a task that failed its checks cannot be accepted (${evidence.reason}); correct it with edit`,
          '/decision',
        )
      if (what !== 'reject') isFullyAnswered(writing.questions, decision)
      const edit = what === 'edit' ? await edited(one, decision) : null
      if (edit && 'fault' in edit)
        throw new ProblemError(
          'unprocessable',
          `the edited task does not fit the specification: ${edit.fault}`,
          edit.field,
        )
    },
    async follow(last) {
      const decided = new Map<number, { decision: ReviewDecision['decision']; case: TaskCase | null }>()
      for (const one of tasks) {
        const decision = last.get(nameOf(one))
        const edit = decision?.decision === 'edit' ? await edited(one, decision) : null
        if (decision)
          decided.set(one.index, {
            decision: decision.decision,
            case: edit && 'case' in edit ? edit.case : null,
          })
      }
      return assembleTasks(context, owner, listTargetEnds(writing, taskSource, tasks, proofs, decided))
    },
  }
}

/** Loads all written tasks, also of a build that failed before it was complete. */
async function loadWritten(context: ItemEnds, { id, stages }: DatasetOwner): Promise<WrittenTask[]> {
  const tasks: WrittenTask[] = []
  for (let index = 0; index < (stages['tasks']?.total ?? 0); index++) {
    const outcome = await loadOutcome<WritingOutcome>(context, { workflow: id, stage: 'tasks', index })
    if (outcome) tasks.push(...outcome.written)
  }
  return tasks.sort((a, b) => a.index - b.index)
}

async function buildTaskEvidence(
  { questions, solution }: PromptWriting,
  taskSource: DistantSource,
  one: WrittenTask,
  name: string,
  faults: ReadonlyMap<string, string | null>,
): Promise<ReviewEvidence> {
  const about = {
    case: name,
    target: taskSource.targets[one.index]?.name ?? '',
    dialogue: one.dialogue,
    questions: [...questions],
  }
  if (one.status === 'rejected')
    return {
      ...about,
      status: 'rejected',
      reason: `${one.reason}: ${one.detail}`,
      instruction: null,
      code: '',
      tries: [],
    }
  const { code, task } = await taskSource.show(one.case)
  const fault = faults.get(one.case.id) ?? null
  const proof = {
    verdict: fault === null ? 'correct' : 'not correct',
    ...(fault !== null && { says: fault }),
    code,
  }
  return {
    ...about,
    status: fault === null ? 'verified' : 'rejected',
    ...(fault !== null && { reason: `${solution.unproved}: ${fault}` }),
    instruction: one.case.instruction,
    task,
    code,
    tries: faults.has(one.case.id) ? [proof] : [],
  }
}

/** An edit keeps what it doesn't change. */
async function applyEdit(
  taskSource: DistantSource,
  one: WrittenTask,
  { instruction, task }: ReviewDecision,
): Promise<{ case: TaskCase } | { fault: string; field: string }> {
  const before = one.status === 'written' ? one.case : null
  const missing = (what: string, field: string) => ({
    fault: `there is no ${what} to keep; send one`,
    field,
  })
  if (instruction === undefined && !before) return missing('instruction', '/instruction')
  if (task === undefined && !before) return missing('task', '/task')
  const config = task ?? (before && (await taskSource.show(before)).task)
  const result = await taskSource.check(one.index, {
    instruction: instruction ?? before?.instruction ?? '',
    task: config,
  })
  return 'fault' in result ? { ...result, field: task === undefined ? '/instruction' : '/task' } : result
}

/** All questions are answered with yes: who can't say that of a task edits or rejects it. */
function isFullyAnswered(
  questions: readonly { id: string; asks: string }[],
  { decision, answers = {} }: ReviewDecision,
): void {
  const unknown = Object.keys(answers).find((id) => !questions.some((one) => one.id === id))
  if (unknown !== undefined)
    throw new ProblemError(
      'unprocessable',
      `there is no question ${unknown}; available: ${questions.map(({ id }) => id).join(', ')}`,
      '/answers',
    )
  for (const { id, asks } of questions) {
    if (answers[id] === undefined)
      throw new ProblemError('unprocessable', `${decision} needs an answer to ${id}: ${asks}`, '/answers')
    if (!answers[id])
      throw new ProblemError(
        'unprocessable',
        `${id} has the answer no (${asks}); edit the task until the answer is yes, or reject it`,
        '/answers',
      )
  }
}
