/**
 * Ended items from outside: each belongs to a stage of an owner that is there, and its counts, which budgets
 * are held against, follow from its outcome and from the item before it.
 */
import { type JobPayload, defineRecord, Sha256 } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import type { FixedDocuments } from '@stateeval/service-kit'
import { type WorkflowItem, formatItemId } from '@stateeval/workflow'
import Type from 'typebox'
import { countProgramEnd } from '../../owners/build-plan.ts'
import { countsOfItem } from '../../owners/evaluation-items.ts'
import {
  type EvaluationOwner,
  opinionStage,
  type JobOwner,
  type ItemEnd,
  type StageProgress,
} from '@stateeval/jobs'
import type { BenchmarkSets } from '@stateeval/sets'
import { countTaskEnd } from '../../owners/writing-plan.ts'
import type { ArtifactForm } from './artifact-forms.ts'
import { checkArtifact, loadPayload } from './artifacts.ts'
import {
  closedObject,
  Count,
  throwDocumentFault,
  formOf,
  requireForm,
  StrayDocument,
} from '@stateeval/administration'
import type { OwnerChecks } from './owners.ts'

const PayloadForm = formOf<JobPayload>()(
  Type.Union([
    Type.Object({ inline: Type.Unsafe<never>(Type.Unknown()) }, closedObject),
    Type.Object({ artifact: Sha256 }, closedObject),
  ]),
)
const EndForm = formOf<ItemEnd>()(
  Type.Object({ counts: defineRecord(Count), payload: PayloadForm }, closedObject),
)

export interface ItemChecks extends OwnerChecks {
  results: Pick<FixedDocuments<ItemEnd>, 'get'>
  sets: Pick<BenchmarkSets, 'ids'>
}

/** The item of an id and its owner. */
async function requireItem(
  { owners }: ItemChecks,
  id: string,
): Promise<{ item: WorkflowItem; owner: JobOwner }> {
  const [, workflow = '', stage = '', index = ''] =
    /^([a-z]+_[0-9a-z]+)\/([a-z0-9-]+)\/(\d{7,8})$/.exec(id) ?? []
  const item = { workflow, stage, index: Number(index) }
  if (formatItemId(item) !== id) throwDocumentFault('', 'must have the id of an item')
  const owner = await owners.get(workflow)
  if (!owner || item.index >= (owner.stages[stage]?.total ?? 0)) throw new StrayDocument()
  return { item, owner }
}

function getArtifactForm(owner: JobOwner, stage: string): ArtifactForm {
  if (owner.entity === 'evaluation') return stage === opinionStage ? 'opinion' : 'sample'
  if (owner.origin === 'build') return stage === 'generate' ? 'generation' : 'program'
  if (owner.origin === 'dataset') return stage === 'tasks' ? 'writing' : 'sample'
  return throwDocumentFault('', `belongs to ${owner.id}, which was made in one step and has no items`)
}

const countItemOutcome = (owner: JobOwner, outcome: unknown): Partial<StageProgress> =>
  owner.entity === 'evaluation'
    ? countsOfItem(outcome, owner)
    : owner.origin === 'build'
      ? countProgramEnd(outcome)
      : countTaskEnd(outcome)

/** Counts without which a budget would not be held, or progress not be seen. */
const needed = ['passed', 'notScored', 'requests', 'promptTokens', 'completionTokens'] as const

async function checkCounts(
  { results }: ItemChecks,
  owner: JobOwner,
  { stage, index }: WorkflowItem,
  counts: Readonly<Record<string, number>>,
  outcome: unknown,
): Promise<void> {
  const { partitions = 1 } = owner.stages[stage] ?? {}
  const previous =
    index < partitions
      ? null
      : await results.get(formatItemId({ workflow: owner.id, stage, index: index - partitions }))
  if (index >= partitions && !previous)
    throwDocumentFault('', `has no predecessor: restore the item ${index - partitions} of ${stage} first`)
  const own: Readonly<Record<string, number>> = { items: 1, ...countItemOutcome(owner, outcome) }
  for (const name of new Set([...Object.keys(counts), 'items', ...needed])) {
    const sum = (previous?.counts[name] ?? 0) + (own[name] ?? 0)
    if (counts[name] !== sum)
      throwDocumentFault(`/counts/${name}`, `must be ${sum}, by its outcome and the item before it`)
  }
}

/** The sample that an outcome is of, if its set is there. */
async function checkSample(
  { sets, owners }: ItemChecks,
  { benchmark, options }: EvaluationOwner,
  { index }: WorkflowItem,
  { scored }: SampleOutcome,
): Promise<void> {
  const sample = index % options.samples
  if (scored.sample !== sample) throwDocumentFault('/payload/scored/sample', `must be ${sample}`)
  if (!(await owners.benchmark(benchmark))) return
  const name = (await sets.ids(benchmark))[Math.floor(index / options.samples)]
  if (scored.case !== name)
    throwDocumentFault('/payload/scored/case', `must be ${JSON.stringify(name)}, by its place in the set`)
}

/** Artifacts of a dialogue. */
async function checkLog(
  context: ItemChecks,
  field: string,
  { log }: Pick<SampleOutcome, 'log'>,
): Promise<void> {
  for (const [at, hash] of (log?.stored ?? []).entries())
    await checkArtifact(context, `${field}/log/stored/${at}`, hash, 'entries')
}

export async function checkResult(context: ItemChecks, id: string, value: unknown): Promise<ItemEnd> {
  const end = requireForm(EndForm, value)
  const { item, owner } = await requireItem(context, id)
  const form = getArtifactForm(owner, item.stage)
  const outcome = await loadPayload(context, '/payload', end.payload, form)
  await checkCounts(context, owner, item, end.counts, outcome)
  if (form === 'sample') await checkLog(context, '/payload', outcome as SampleOutcome)
  if (owner.entity === 'evaluation' && item.stage === 'samples')
    await checkSample(context, owner, item, outcome as SampleOutcome)
  return end
}

export async function checkRecord(context: ItemChecks, id: string, value: unknown): Promise<JobPayload> {
  const payload = requireForm(PayloadForm, value)
  await requireItem(context, id)
  await checkLog(
    context,
    '',
    (await loadPayload(context, '', payload, 'record')) as Pick<SampleOutcome, 'log'>,
  )
  return payload
}
