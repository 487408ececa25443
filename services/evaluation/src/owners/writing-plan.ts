/** A build from a specification: tasks (an item a part of it), proofs (an item a task: its own solution, run and scored), then the set. */
import { sampleOf } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import { casesFile, manifestOf } from '../flows/manifest.ts'
import type { SampleOutcome } from '../flows/sample.ts'
import { type WritingOutcome, writingFlow } from '../flows/writing-flow.ts'
import type { TaskEnd } from '@stateeval/program'
import { boundApart } from '../threads/apart.ts'
import type { AssembledSet } from './assemble.ts'
import type { DatasetOwner } from './owner.ts'
import type { Owners } from './owners.ts'
import type { Plan } from './plan.ts'
import { itemId } from '@stateeval/workflow'
import { sampleItem, type SampleStores } from './sample-item.ts'
import type { Sets } from './sets.ts'
import { type BaselineChecks, storeBaselineCheck } from './self-check.ts'
import { enterStage, type OutcomeReader, outcomesOf, type StageStarter } from './stage.ts'
import {
  casesIn,
  endsOf,
  openTaskSourceOf,
  proofsOf,
  taskSourceOf,
  type TaskSources,
  writtenOf,
} from './task-source.ts'

/** What a build of tasks is led with. */
export interface DatasetParts extends TaskSources, SampleStores, StageStarter, OutcomeReader, BaselineChecks {
  owners: Owners
  sets: Sets
  window: number
}

const used = async (context: DatasetParts, owner: DatasetOwner) => ({
  usage: (await outcomesOf(context, owner, 'tasks', ({ usage }: WritingOutcome) => usage)).reduce(
    addUsage,
    noUsage,
  ),
})

/** Ends a build that has no task: what became of the first is told, and where the others can be seen. */
async function fail(context: DatasetParts, owner: DatasetOwner, detail: string) {
  const error = `no task passed its checks; the first: ${detail}; all with their dialogue: GET /v1/benchmarks/${owner.id}/reviews`
  await context.owners.end(owner.id, { status: 'failed', error, ...(await used(context, owner)) })
}

async function afterTasks(context: DatasetParts, owner: DatasetOwner): Promise<void> {
  const written = await writtenOf(context, owner)
  const count = casesIn(written).length
  if (count === 0) {
    const [first] = written
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
  const set = await assembleTasks(
    context,
    owner,
    endsOf(await taskSourceOf(context, owner), await writtenOf(context, owner), proofs),
  )
  if (!set) return fail(context, owner, `its own request is not judged correct (${proofs[0]?.fault ?? ''})`)
  await context.sets.store(owner.id, set)
  // Every solution was run just now, so the baseline check of this set is known here.
  const runtimes = [...new Set(proofs.flatMap((one) => one.runtimes))]
  const [runtime] = runtimes
  if (runtime !== undefined && runtimes.length === 1)
    await storeBaselineCheck(context, {
      manifest: set.manifest.id,
      language: 'javascript',
      runtime,
      cases: set.ids.length,
      failed: [],
    })
  await context.owners.end(owner.id, {
    status: 'succeeded',
    manifest: set.manifest,
    ...(await used(context, owner)),
  })
}

/** The set of what is kept; null where nothing is. */
export async function assembleTasks(
  context: TaskSources,
  owner: DatasetOwner,
  ends: readonly TaskEnd[],
): Promise<AssembledSet | null> {
  if (!ends.some(({ status }) => status === 'kept')) return null
  const { options, model, prompts } = owner.writing
  const { seed, ...rest } = options
  const taskSource = await taskSourceOf(context, owner)
  const { lines, artifacts, about, readme } = taskSource.set(ends, {
    seed,
    options: { ...rest, model: model.settings.model },
    versions: { prompts },
  })
  for (const bytes of Object.values(artifacts)) await context.artifacts.put(bytes)
  const manifest = manifestOf(
    { benchmark: owner.benchmark, ...about },
    { 'cases.jsonl': casesFile(lines), 'README.md': readme },
    Object.keys(artifacts),
  )
  const make = context.benchmark(owner.benchmark)
  return { manifest, lines, ids: lines.map((line) => make.parse(line).id), readme }
}

export const writingPlan = (context: DatasetParts): Plan<DatasetOwner> => ({
  async item(owner, stage, index) {
    const { model, options } = owner.writing
    if (stage === 'tasks') {
      const { taskSource, opening } = await openTaskSourceOf(context, owner)
      const plain = { part: index, model, sample: sampleOf(options.seed) }
      return boundApart(
        context.threads,
        [writingFlow, { ...plain, taskSource }],
        ['writing', { ...plain, opening, benchmark: owner.benchmark }],
      )
    }
    const benchmark = context.benchmark(owner.benchmark)
    const c = casesIn(await writtenOf(context, owner))[index]
    if (!c) throw new Error(`${owner.id} has no task ${index}`)
    await context.artifactCache.load(c.artifacts ?? [])
    return sampleItem(context, {
      benchmark,
      case: c,
      sample: 0,
      item: itemId({ workflow: owner.id, stage, index }),
      responder: { kind: 'reference' },
      options: {
        language: 'javascript',
        prompting: benchmark.promptings[0] ?? 'direct',
        ...benchmark.defaults,
        seed: options.seed,
      },
    })
  },
  counts(out) {
    const outcome = out as WritingOutcome | SampleOutcome
    const passed =
      'written' in outcome ? casesIn(outcome.written).length > 0 : outcome.scored.score?.passed === true
    return { passed: passed ? 1 : 0, notScored: 0, ...outcome.usage }
  },
  finished: (owner, stage) => (stage === 'tasks' ? afterTasks(context, owner) : afterProofs(context, owner)),
})
