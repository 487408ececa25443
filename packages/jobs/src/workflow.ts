/**
 * Builds and evaluations on the workflow engine: the store of items' outcomes, and the transport of their
 * needs.
 */
import {
  type JobSubject,
  type JsonValue,
  type JobPayload,
  ProblemError,
  sha256,
  subjects,
} from '@stateeval/contracts'
import { type ItemNeed, type SampleOutcome, readStateVersion } from '@stateeval/flows'
import {
  type ProjectArtifacts,
  type FixedDocuments,
  runInTrace,
  isAway,
  type ServicePlatform,
  type RevisedDocuments,
  write,
  writeObject,
} from '@stateeval/service-kit'
import {
  createEngine,
  type WorkflowEngine,
  type WorkflowHost,
  type WorkflowItem,
  formatItemId,
  formatStepId,
} from '@stateeval/workflow'
import type { WorkerCapacity } from './capacity.ts'
import type { Scenario } from '@stateeval/program'
import {
  type BuildOwner,
  type DatasetOwner,
  type EvaluationOwner,
  describeContinuation,
  isEnded,
  type JobOwner,
} from './owner.ts'
import type { OwnerStore } from './owners.ts'
import type { NoteItem } from './metrics.ts'
import { exportResult } from './evaluation-results.ts'
import { listActiveIds } from './places.ts'
import type { ItemEnd, OwnerPlan } from './stage.ts'
import type { WaitWatch } from './waits.ts'

/** Stores of owners and of their items' ends, and the sending of messages. */
interface WorkflowParts extends Pick<ServicePlatform, 'send' | 'quota' | 'telemetry' | 'bus'> {
  scenarios: readonly Pick<Scenario, 'world' | 'tensors'>[]
  waits: Pick<WaitWatch, 'note'>
  capacity: Pick<WorkerCapacity, 'room'>
  owners: OwnerStore
  active: RevisedDocuments<object>
  ends: Pick<FixedDocuments<true>, 'put'>
  results: FixedDocuments<ItemEnd>
  records: Pick<FixedDocuments<JobPayload>, 'put'>
  artifacts: ProjectArtifacts
}
/** Plans by the kind that an owner was begun as. */
interface OwnerPlans {
  build: OwnerPlan<BuildOwner>
  dataset: OwnerPlan<DatasetOwner>
  evaluation: OwnerPlan<EvaluationOwner>
}

/** The queues of the services that meet needs. */
export const subjectOf = {
  generate: subjects.generate,
  translate: subjects.translate,
  execute: subjects.execute,
  score: subjects.score,
  session: subjects.session,
} as const satisfies Record<Exclude<ItemNeed['kind'], 'ask' | 'compare'>, string>

/** The queue that meets a need; programs with tensors have their own queue. */
function chooseSubject(
  need: Extract<ItemNeed, { kind: keyof typeof subjectOf }>,
  scenarios: WorkflowParts['scenarios'],
): JobSubject {
  if (need.kind !== 'execute') return subjectOf[need.kind]
  const { world } = need.payload
  const hasTensors = scenarios.some((one) => one.world === world && one.tensors)
  return hasTensors ? subjects.tensors : subjects.execute
}

const startMessage = (item: WorkflowItem) => ({
  id: `${formatItemId(item)}:start`,
  value: { start: formatStepId({ item, rev: 0 }) },
})

const getRunning = (owner: JobOwner | null) => (owner && !isEnded(owner) ? owner : null)

/**
 * Ends an owner whose project may use no more CPU time: the results of its items are kept, so it can
 * continue.
 */
async function stopForBudget({ quota, owners }: WorkflowParts, id: string): Promise<boolean> {
  const reason = await quota.exhausted(['cpuSeconds'])
  if (reason !== null)
    await owners.end(id, {
      status: 'cancelled',
      error: `stopped: ${reason}; then ${describeContinuation(id)}`,
    })
  return reason !== null
}

function getPlan(plans: OwnerPlans, owner: JobOwner): OwnerPlan<JobOwner> {
  const origin = owner.entity === 'evaluation' ? owner.entity : owner.origin
  if (origin === 'import' || origin === 'review')
    throw new Error(`${owner.id} was created in one step: it has no items`)
  return plans[origin]
}

export function createWorkflows(
  context: WorkflowParts,
  plans: OwnerPlans,
  noteItem: NoteItem,
): WorkflowEngine<JobOwner, ItemNeed> {
  const host: WorkflowHost<JobOwner, ItemNeed> = {
    definition: (workflow) => {
      const plan = getPlan(plans, workflow)
      return {
        item: (owner, stage, index) => plan.item(owner, stage, index),
        counts: (outcome, owner) => ({ ...plan.counts(outcome, owner) }),
        stageEnded: (owner, stage) => plan.finished(owner, stage),
      }
    },
    workflows: {
      recent: async (id) => getRunning(await context.owners.recent(id)),
      current: async (id) => getRunning(await context.owners.get(id)),
      watched: () => listActiveIds(context.active),
      unwatch: async (id) => void (await context.active.remove(id)),
      watch: async (id) => void (await context.active.create(id, {})),
      fail: (id, error) => context.owners.end(id, { status: 'failed', error }),
    },
    ends: createEndStore(context, noteItem),
    room: () => context.capacity.room(),
    claimStageEnd: (id, stage) => context.ends.put(`${id}/${stage}`, true),
    sendStart: (item) => context.send(subjects.step, startMessage(item)),
    async sendNeed(step, need, state) {
      if (need.kind === 'execute' && (await stopForBudget(context, step.item.workflow))) return
      const id = formatStepId(step)
      // Models are asked within this service, which makes the question from the state by itself.
      if (need.kind === 'ask' || need.kind === 'compare')
        return context.send(subjects.ask, {
          id,
          value: { state: state as JsonValue },
          version: readStateVersion(state),
        })
      // A repeated item may have come here another way, where a model was away the first time: other work is
      // another job.
      const payload = write(need.payload)
      const job = `${id}#${sha256(payload.text).slice(0, 12)}`
      const carried = state === null ? undefined : await context.artifacts.pack(state)
      await context.send(chooseSubject(need, context.scenarios), {
        id: job,
        value: payload,
        replyTo: {
          subject: subjects.step,
          correlation: id,
          ...(carried && { carried, version: readStateVersion(state) }),
        },
      })
    },
    async checkQueues() {
      for (const subject of [subjects.step, subjects.ask, subjects.tensors, ...Object.values(subjectOf)])
        await context.bus.checkDelivers(subject)
    },
    noteProgress: ({ id, stage }, items) => context.waits.note(id, `${stage} ${items}`),
    inTrace: ({ trace }, work) => runInTrace(trace, work),
    after: (ms, work) => void setTimeout(work, ms).unref(),
    now: () => performance.now(),
    isAway,
    isPermanent: (error) => error instanceof ProblemError && !isAway(error),
  }
  return createEngine(host)
}

function createEndStore(
  context: Pick<WorkflowParts, 'results' | 'records' | 'artifacts' | 'owners' | 'telemetry'>,
  noteItem: NoteItem,
): WorkflowHost<JobOwner, ItemNeed>['ends'] {
  const { results, records, artifacts } = context
  return {
    async put(id, counts, ended, ownCounts) {
      const { record, ...outcome } = ended as Partial<SampleOutcome>
      // Before the end: what has ended can be scored again.
      if (record) await records.put(id, await artifacts.pack(record))
      const first = await results.put(id, writeObject({ counts, payload: await artifacts.pack(outcome) }))
      if (!first) return false
      noteItem(id, ownCounts)
      const [owner = '', stage] = id.split('/')
      if (stage === 'samples' && outcome.scored)
        exportResult(context, await context.owners.recent(owner), outcome.scored)
      return true
    },
    counts: async (ids) => (await results.many(ids)).map((end) => end?.counts ?? null),
    async *outcomes(ids) {
      for (const end of await results.many(ids)) yield end && { outcome: await artifacts.unpack(end.payload) }
    },
  }
}
