/**
 * The sources of a build of tasks, opened once per process; the tasks written so far, and the set of the
 * kept ones.
 */
import { computeContentId, type ReviewDecision, sha256, type TaskCase } from '@stateeval/contracts'
import type { SampleOutcome, WritingOutcome } from '@stateeval/flows'
import {
  type Benchmark,
  type BenchmarkSet,
  buildBenchmarkSet,
  type TaskEnd,
  type TaskPlan,
  type TaskSource,
  type PromptWriting,
  type WritingOptions,
  type WrittenTask,
} from '@stateeval/program'
import type { ProjectArtifacts, CacheHolder, ThreadPool } from '@stateeval/service-kit'
import {
  type SourceOpening,
  type SourceCall,
  type DatasetOwner,
  type OutcomeReader,
  outcomesOf,
} from '@stateeval/jobs'

/** The dependencies of opening a task source. */
export interface TaskSources extends CacheHolder {
  artifacts: ProjectArtifacts
  /** Threads that read sources. */
  threads: ThreadPool
  benchmark(id: string): Benchmark
}
/** Stores in which outcomes are looked up and kept. */
type OutcomeSources = CacheHolder & OutcomeReader

/** The source of tasks, as of the build's beginning. */
export interface WritingBundle {
  specification: string
  prompts: Readonly<Record<string, string>>
}

/** How to write tasks of a build's kind. */
export function getWriting(
  context: Pick<TaskSources, 'benchmark'>,
  { kind }: Pick<DatasetOwner, 'kind'>,
): PromptWriting {
  const writing = context.benchmark(kind).building?.writing
  if (!writing) throw new Error(`the benchmark ${kind} has no tasks to write`)
  return writing
}

/** A task source as its threads know it: what is asked of it is answered there. */
export interface DistantSource extends Pick<TaskSource, 'targets' | 'parts'> {
  opening: SourceOpening
  show(...args: Parameters<TaskSource['show']>): Promise<ReturnType<TaskSource['show']>>
  check(...args: Parameters<TaskSource['check']>): Promise<ReturnType<TaskSource['check']>>
  set(...args: Parameters<TaskSource['set']>): Promise<ReturnType<TaskSource['set']>>
  /** null where the kind says no more than names. */
  plan(): Promise<TaskPlan | null>
}

/** Long enough for the largest specification on a busy machine. */
const limits = { maxMs: 120_000 }

/** Opens a source; throws a problem that says what is wrong with its specification. */
export async function openSource(
  { threads }: Pick<TaskSources, 'threads'>,
  kind: string,
  { specification, prompts }: WritingBundle,
  options: WritingOptions,
  isNew = false,
): Promise<DistantSource & { artifacts?: Readonly<Record<string, Uint8Array>> }> {
  const text = Buffer.from(specification)
  const shared = new Uint8Array(new SharedArrayBuffer(text.length))
  shared.set(text)
  const opening: SourceOpening = {
    benchmark: kind,
    key: computeContentId({ kind, specification: sha256(text), options, prompts }),
    specification: shared,
    options,
    prompts,
  }
  const opened = await threads.run<
    Pick<TaskSource, 'targets' | 'parts'> & Partial<Pick<TaskSource, 'artifacts'>>
  >('openSource', { opening, isNew }, limits)
  const call = <T>(task: SourceCall) => threads.run<T>('callSource', task, limits)
  return {
    ...opened,
    opening,
    show: (...args) => call({ opening, method: 'show', args }),
    check: (...args) => call({ opening, method: 'check', args }),
    set: (...args) => call({ opening, method: 'set', args }),
    plan: () => call({ opening, method: 'plan', args: [] }),
  }
}

const formatSourceKey = (id: string) => `task-source/${id}`
/** Keeps the source of a build that begins. */
export const storeTaskSource = (context: CacheHolder, id: string, source: DistantSource) =>
  context.cache(formatSourceKey(id), () => Promise.resolve(source))

export const loadTaskSource = (
  context: TaskSources,
  { id, kind, writing }: DatasetOwner,
): Promise<DistantSource> =>
  context.cache(formatSourceKey(id), async () => {
    const bundle = (await context.artifacts.getJson(writing.bundle)) as WritingBundle
    return openSource(context, kind, bundle, writing.options)
  })

/** All written tasks, in order; available once the stage `tasks` has ended. */
export const loadWrittenTasks = (context: OutcomeSources, owner: DatasetOwner): Promise<WrittenTask[]> =>
  context.cache(`written/${owner.id}`, async () =>
    (await outcomesOf(context, owner, 'tasks', ({ written }: WritingOutcome) => written))
      .flat()
      .sort((a, b) => a.index - b.index),
  )
export const listTaskCases = (tasks: readonly WrittenTask[]): TaskCase[] =>
  tasks.flatMap((one) => (one.status === 'written' ? [one.case] : []))

/** Proof that every policy judges a task's own solution right; its verdicts where one does not. */
interface TaskProof {
  case: string
  fault: string | null
  runtimes: string[]
}
const buildProof = ({ scored: { case: id, score, notScored }, runtimes }: SampleOutcome): TaskProof => {
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
export async function loadProofs(context: OutcomeSources, owner: DatasetOwner): Promise<TaskProof[]> {
  if (!owner.stages['proofs']) return []
  return context.cache(`proofs/${owner.id}`, () => outcomesOf(context, owner, 'proofs', buildProof))
}

/** The outcome of every target, with people's decisions about it. */
export function listTargetEnds(
  { solution: { unproved } }: PromptWriting,
  taskSource: Pick<TaskSource, 'targets'>,
  tasks: readonly WrittenTask[],
  proofs: readonly TaskProof[],
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
  const taskSource = await loadTaskSource(context, owner)
  const { artifacts, ...contents } = await taskSource.set(ends, {
    seed,
    options: { ...others, model: model.settings.model },
    versions: { prompts },
  })
  for (const bytes of Object.values(artifacts)) await context.artifacts.put(bytes)
  return buildBenchmarkSet(context.benchmark(owner.kind), {
    ...contents,
    artifacts: Object.keys(artifacts),
  })
}
