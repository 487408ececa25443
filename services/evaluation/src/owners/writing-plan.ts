/** A build from a specification: tasks (an item a part of it), proofs (an item a task: its own solution, run and scored), then the set. */
import { sampleOf } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import type { EvaluationContext } from '../context.ts'
import { beginStage, newStage, outcomesOf } from '../workflow.ts'
import { casesFile, manifestOf } from '../flows/manifest.ts'
import type { SampleOutcome } from '../flows/sample.ts'
import { type WritingOutcome, writingFlow } from '../flows/writing-flow.ts'
import type { TaskEnd } from '@stateeval/program'
import { boundApart } from '../threads/apart.ts'
import type { AssembledSet } from './assemble.ts'
import type { Plan } from './plan.ts'
import { itemId } from '@stateeval/workflow'
import { sampleItem } from './sample-item.ts'
import { storeBaselineCheck } from './self-check.ts'
import {
  casesIn,
  endsOf,
  openTaskSourceOf,
  proofsOf,
  taskSourceOf,
  type WritingOwner,
  writtenOf,
} from './task-source.ts'

const used = async (context: EvaluationContext, owner: WritingOwner) => ({
  usage: (await outcomesOf(context, owner, 'tasks', ({ usage }: WritingOutcome) => usage)).reduce(
    addUsage,
    noUsage,
  ),
})

/** Ends a build that has no task: what became of the first is told, and where the others can be seen. */
async function fail(context: EvaluationContext, owner: WritingOwner, detail: string) {
  const error = `no task passed its checks; the first: ${detail}; all with their dialogue: GET /v1/benchmarks/${owner.id}/reviews`
  await context.owners.end(owner.id, { status: 'failed', error, ...(await used(context, owner)) })
}

async function afterTasks(context: EvaluationContext, owner: WritingOwner): Promise<void> {
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
  const stages = { ...owner.stages, proofs: newStage(count, context.window) }
  const entered = await context.owners.enter(owner.id, 'tasks', { stage: 'proofs', stages })
  if (entered) await beginStage(context, entered)
}

async function afterProofs(context: EvaluationContext, owner: WritingOwner): Promise<void> {
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
  context: EvaluationContext,
  owner: WritingOwner,
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

export const writingPlan: Plan<WritingOwner> = {
  async item(context, owner, stage, index) {
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
  finished: (context, owner, stage) =>
    stage === 'tasks' ? afterTasks(context, owner) : afterProofs(context, owner),
}
