/**
 * The sources of a build of tasks, opened once per process; the tasks written so far, and the set of the
 * kept ones.
 */
import type { ReviewDecision, TaskCase } from '@stateeval/contracts'
import type { SampleOutcome, WritingOutcome } from '@stateeval/flows'
import {
  type Benchmark,
  type BenchmarkSet,
  benchmarkSetOf,
  type TaskEnd,
  type TaskSource,
  type Writing,
  type WrittenTask,
} from '@stateeval/program'
import type { Artifacts, Cached } from '@stateeval/service-kit'
import type { Opening } from '../threads/apart.ts'
import type { DatasetOwner } from './owner.ts'
import { type OutcomeReader, outcomesOf } from './stage.ts'

/** The dependencies of opening a task source. */
export interface TaskSources extends Cached {
  artifacts: Artifacts
  benchmark(id: string): Benchmark
}
/** Where outcomes are looked up, and kept. */
type Kept = Cached & OutcomeReader

/** The source of tasks, as of the build's beginning. */
export interface Bundle {
  specification: string
  prompts: Readonly<Record<string, string>>
}

/** How to write tasks of a build's kind. */
export function writingOf(
  context: Pick<TaskSources, 'benchmark'>,
  { kind }: Pick<DatasetOwner, 'kind'>,
): Writing {
  const { writing } = context.benchmark(kind)
  if (!writing) throw new Error(`the benchmark ${kind} has no tasks to write`)
  return writing
}

export const taskSourceOf = async (context: TaskSources, owner: DatasetOwner): Promise<TaskSource> =>
  (await openTaskSourceOf(context, owner)).taskSource

/** A task source, and what it was opened with. */
interface OpenTaskSource {
  taskSource: TaskSource
  opening: Opening
}
const keyOf = (id: string) => `task-source/${id}`
/** Stores the task source of a build that begins. */
export const storeTaskSource = (context: Cached, id: string, open: OpenTaskSource) =>
  context.cache(keyOf(id), () => Promise.resolve(open))

export const openTaskSourceOf = (
  context: TaskSources,
  { id, kind, writing }: DatasetOwner,
): Promise<OpenTaskSource> =>
  context.cache(keyOf(id), async () => {
    const { specification, prompts } = (await context.artifacts.getJson(writing.bundle)) as Bundle
    const { options } = writing
    return {
      taskSource: writingOf(context, { kind }).open(specification, options, prompts),
      opening: { specification, options, prompts },
    }
  })

/** All written tasks, in order; available once the stage `tasks` has ended. */
export const writtenOf = (context: Kept, owner: DatasetOwner): Promise<WrittenTask[]> =>
  context.cache(`written/${owner.id}`, async () =>
    (await outcomesOf(context, owner, 'tasks', ({ written }: WritingOutcome) => written))
      .flat()
      .sort((a, b) => a.index - b.index),
  )
export const casesIn = (tasks: readonly WrittenTask[]): TaskCase[] =>
  tasks.flatMap((one) => (one.status === 'written' ? [one.case] : []))

/** Whether a task's own solution is judged right, by every policy: its verdicts where it is not. */
interface Proof {
  case: string
  fault: string | null
  runtimes: string[]
}
const proofOf = ({ scored: { case: id, score, notScored }, runtimes }: SampleOutcome): Proof => {
  const wrong = Object.entries(score?.policies ?? {}).filter(([, { passed }]) => !passed)
  const says = wrong.map(
    ([policy, { verdict, differences }]) =>
      `${policy}: ${verdict}${differences[0] ? ` (${differences[0].says})` : ''}`,
  )
  const fault =
    score === null
      ? (notScored ?? 'not scored')
      : score.passed && wrong.length === 0
        ? null
        : says.join('; ') || score.verdict
  return { case: id, fault, runtimes }
}
export async function proofsOf(context: Kept, owner: DatasetOwner): Promise<Proof[]> {
  if (!owner.stages['proofs']) return []
  return context.cache(`proofs/${owner.id}`, () => outcomesOf(context, owner, 'proofs', proofOf))
}

/** The outcome of every target, with people's decisions about it. */
export function endsOf(
  { solution: { unproved } }: Writing,
  taskSource: TaskSource,
  tasks: readonly WrittenTask[],
  proofs: readonly Proof[],
  decided: ReadonlyMap<number, { decision: ReviewDecision['decision']; case: TaskCase | null }> = new Map(),
): TaskEnd[] {
  const byIndex = new Map(tasks.map((one) => [one.index, one]))
  const faults = new Map(proofs.map((one) => [one.case, one.fault]))
  return taskSource.targets.map(({ skipped }, index): TaskEnd => {
    if (skipped !== undefined) return { status: 'dropped', phase: 'specification', reason: skipped }
    const one = byIndex.get(index)
    const decision = decided.get(index)
    if (decision?.decision === 'reject')
      return { status: 'dropped', phase: 'review', reason: 'rejected by a person' }
    if (decision?.case) return { status: 'kept', case: decision.case }
    if (one?.status !== 'written')
      return { status: 'dropped', phase: 'tasks', reason: one?.reason ?? 'no task' }
    const fault = faults.get(one.case.id)
    if (fault === undefined || fault !== null) return { status: 'dropped', phase: 'check', reason: unproved }
    return { status: 'kept', case: one.case }
  })
}

/** The set of the kept tasks; null if none is kept. */
export async function assembleTasks(
  context: TaskSources,
  owner: DatasetOwner,
  ends: readonly TaskEnd[],
): Promise<BenchmarkSet | null> {
  if (!ends.some(({ status }) => status === 'kept')) return null
  const { options, model, prompts } = owner.writing
  const { seed, ...others } = options
  const taskSource = await taskSourceOf(context, owner)
  const { artifacts, ...contents } = taskSource.set(ends, {
    seed,
    options: { ...others, model: model.settings.model },
    versions: { prompts },
  })
  for (const bytes of Object.values(artifacts)) await context.artifacts.put(bytes)
  return benchmarkSetOf(context.benchmark(owner.kind), {
    ...contents,
    artifacts: Object.keys(artifacts),
  })
}
