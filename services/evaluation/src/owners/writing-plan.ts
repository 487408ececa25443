/**
 * A build from a specification: tasks (one item per part of it), proofs (one item per task: its solution,
 * run and scored), then the set.
 */
import { toSampleNumber } from '@stateeval/contracts'
import type { SampleOutcome, WritingOutcome } from '@stateeval/flows'
import { addUsage, noUsage } from '@stateeval/models'
import type { ArtifactCache } from '@stateeval/service-kit'
import { formatItemId } from '@stateeval/workflow'
import {
  sampleItem,
  type SampleStores,
  createWritingItem,
  type DatasetOwner,
  type ItemWindow,
  type OwnerStore,
  enterStage,
  type OutcomeReader,
  outcomesOf,
  type OwnerPlan,
  type StageStarter,
} from '@stateeval/jobs'
import { type BaselineChecks, storePassedBaseline, type BenchmarkSets } from '@stateeval/sets'
import {
  assembleTasks,
  listTaskCases,
  listTargetEnds,
  loadProofs,
  loadTaskSource,
  type TaskSources,
  getWriting,
  loadWrittenTasks,
} from './task-source.ts'

/** Parts of a build of tasks. */
interface DatasetParts extends TaskSources, SampleStores, StageStarter, OutcomeReader, BaselineChecks {
  owners: OwnerStore
  sets: BenchmarkSets
  window: ItemWindow
  artifactCache: ArtifactCache
}

const loadTotalUsage = async (context: DatasetParts, owner: DatasetOwner) => ({
  usage: (await outcomesOf(context, owner, 'tasks', ({ usage }: WritingOutcome) => usage)).reduce(
    addUsage,
    noUsage,
  ),
})

/** Ends a build that has no task: reports the fate of the first one, and where to see the others. */
async function fail(context: DatasetParts, owner: DatasetOwner, detail: string) {
  const error = `no task passed its checks; the first: ${detail}; all with their dialogue: GET /v1/benchmarks/${owner.id}/reviews`
  await context.owners.end(owner.id, { status: 'failed', error, ...(await loadTotalUsage(context, owner)) })
}

async function advanceTasks(context: DatasetParts, owner: DatasetOwner): Promise<void> {
  const tasks = await loadWrittenTasks(context, owner)
  const count = listTaskCases(tasks).length
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

async function advanceProofs(context: DatasetParts, owner: DatasetOwner): Promise<void> {
  const proofs = await loadProofs(context, owner)
  const writing = getWriting(context, owner)
  const { unproved, language } = writing.solution
  const set = await assembleTasks(
    context,
    owner,
    listTargetEnds(
      writing,
      await loadTaskSource(context, owner),
      await loadWrittenTasks(context, owner),
      proofs,
    ),
  )
  if (!set) return fail(context, owner, `${unproved} (${proofs[0]?.fault ?? ''})`)
  await context.sets.store(owner.id, set)
  // Every solution was run just now.
  const runtimes = proofs.flatMap((one) => one.runtimes)
  await storePassedBaseline(context, set, language ? [language] : [], runtimes)
  await context.owners.end(owner.id, {
    status: 'succeeded',
    manifest: set.manifest,
    ...(await loadTotalUsage(context, owner)),
  })
}

export function countTaskEnd(out: unknown): ReturnType<OwnerPlan<DatasetOwner>['counts']> {
  const outcome = out as WritingOutcome | SampleOutcome
  const passed =
    'written' in outcome ? listTaskCases(outcome.written).length > 0 : outcome.scored.score?.passed === true
  return { passed: passed ? 1 : 0, notScored: 0, ...outcome.usage }
}

export const createWritingPlan = (context: DatasetParts): OwnerPlan<DatasetOwner> => ({
  async item(owner, stage, index) {
    const { model, options } = owner.writing
    if (stage === 'tasks') {
      const { opening } = await loadTaskSource(context, owner)
      return createWritingItem(context.threads, {
        part: index,
        model,
        sample: toSampleNumber(options.seed),
        opening,
      })
    }
    const benchmark = context.benchmark(owner.kind)
    const c = listTaskCases(await loadWrittenTasks(context, owner))[index]
    if (!c) throw new Error(`${owner.id} has no task ${index}`)
    const { language } = getWriting(context, owner).solution
    const artifacts = await context.artifactCache.load(c.artifacts ?? [])
    return sampleItem(context, {
      benchmark,
      case: c,
      artifacts,
      sample: 0,
      item: formatItemId({ workflow: owner.id, stage, index }),
      responder: { kind: 'reference' },
      options: {
        ...(language && { language }),
        prompting: benchmark.asking.promptings[0] ?? 'direct',
        ...benchmark.asking.defaults,
        seed: options.seed,
      },
    })
  },
  counts: countTaskEnd,
  finished: (owner, stage) =>
    stage === 'tasks' ? advanceTasks(context, owner) : advanceProofs(context, owner),
})
