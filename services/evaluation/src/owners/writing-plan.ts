/**
 * A build from a specification: tasks (one item per part of it), proofs (one item per task: its solution,
 * run and scored), then the set.
 */
import { toSampleNumber } from '@stateeval/contracts'
import type { SampleOutcome, WritingOutcome } from '@stateeval/flows'
import { addUsage, noUsage } from '@stateeval/models'
import type { ArtifactCache } from '@stateeval/service-kit'
import { itemId } from '@stateeval/workflow'
import { sampleItem, type SampleStores, writingItem } from '../threads/apart.ts'
import type { DatasetOwner } from './owner.ts'
import type { ItemWindow } from '../capacity.ts'
import type { Owners } from './owners.ts'
import { type BaselineChecks, storePassedBaseline } from './baseline-check.ts'
import type { Sets } from './sets.ts'
import { enterStage, type OutcomeReader, outcomesOf, type Plan, type StageStarter } from './stage.ts'
import {
  assembleTasks,
  casesIn,
  endsOf,
  proofsOf,
  taskSourceOf,
  type TaskSources,
  writingOf,
  writtenOf,
} from './task-source.ts'

/** Parts of a build of tasks. */
interface DatasetParts extends TaskSources, SampleStores, StageStarter, OutcomeReader, BaselineChecks {
  owners: Owners
  sets: Sets
  window: ItemWindow
  artifactCache: ArtifactCache
}

const totalUsage = async (context: DatasetParts, owner: DatasetOwner) => ({
  usage: (await outcomesOf(context, owner, 'tasks', ({ usage }: WritingOutcome) => usage)).reduce(
    addUsage,
    noUsage,
  ),
})

/** Ends a build that has no task: what became of the first is told, and where the others can be seen. */
async function fail(context: DatasetParts, owner: DatasetOwner, detail: string) {
  const error = `no task passed its checks; the first: ${detail}; all with their dialogue: GET /v1/benchmarks/${owner.id}/reviews`
  await context.owners.end(owner.id, { status: 'failed', error, ...(await totalUsage(context, owner)) })
}

async function afterTasks(context: DatasetParts, owner: DatasetOwner): Promise<void> {
  const tasks = await writtenOf(context, owner)
  const count = casesIn(tasks).length
  if (count === 0) {
    const [first] = tasks
    return fail(
      context,
      owner,
      first?.status === 'rejected' ? `${first.reason} (${first.detail})` : 'nothing was written',
    )
  }
  await enterStage(context, owner, { stage: 'proofs', total: count, window: context.window })
}

async function afterProofs(context: DatasetParts, owner: DatasetOwner): Promise<void> {
  const proofs = await proofsOf(context, owner)
  const writing = writingOf(context, owner)
  const { unproved, language } = writing.solution
  const set = await assembleTasks(
    context,
    owner,
    endsOf(writing, await taskSourceOf(context, owner), await writtenOf(context, owner), proofs),
  )
  if (!set) return fail(context, owner, `${unproved} (${proofs[0]?.fault ?? ''})`)
  await context.sets.store(owner.id, set)
  // Every solution was run just now.
  const runtimes = proofs.flatMap((one) => one.runtimes)
  await storePassedBaseline(context, set, language ? [language] : [], runtimes)
  await context.owners.end(owner.id, {
    status: 'succeeded',
    manifest: set.manifest,
    ...(await totalUsage(context, owner)),
  })
}

export function countsOfTask(out: unknown): ReturnType<Plan<DatasetOwner>['counts']> {
  const outcome = out as WritingOutcome | SampleOutcome
  const passed =
    'written' in outcome ? casesIn(outcome.written).length > 0 : outcome.scored.score?.passed === true
  return { passed: passed ? 1 : 0, notScored: 0, ...outcome.usage }
}

export const writingPlan = (context: DatasetParts): Plan<DatasetOwner> => ({
  async item(owner, stage, index) {
    const { model, options } = owner.writing
    if (stage === 'tasks') {
      const { opening } = await taskSourceOf(context, owner)
      return writingItem(context.threads, {
        part: index,
        model,
        sample: toSampleNumber(options.seed),
        opening,
      })
    }
    const benchmark = context.benchmark(owner.kind)
    const c = casesIn(await writtenOf(context, owner))[index]
    if (!c) throw new Error(`${owner.id} has no task ${index}`)
    const { language } = writingOf(context, owner).solution
    const artifacts = await context.artifactCache.load(c.artifacts ?? [])
    return sampleItem(context, {
      benchmark,
      case: c,
      artifacts,
      sample: 0,
      item: itemId({ workflow: owner.id, stage, index }),
      responder: { kind: 'reference' },
      options: {
        ...(language && { language }),
        prompting: benchmark.promptings[0] ?? 'direct',
        ...benchmark.defaults,
        seed: options.seed,
      },
    })
  },
  counts: countsOfTask,
  finished: (owner, stage) => (stage === 'tasks' ? afterTasks(context, owner) : afterProofs(context, owner)),
})
