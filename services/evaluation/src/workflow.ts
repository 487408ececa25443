/** Builds and evaluations on the workflow engine: where their items' ends are stored, and how what they need is sent. */
import { type Json, type Payload, ProblemError, subjects, sha256 } from '@stateeval/contracts'
import { isAway } from '@stateeval/service-kit'
import {
  createEngine,
  type Counts,
  type Engine,
  type Host,
  type Item,
  itemId,
  type Stage,
  stepId,
} from '@stateeval/workflow'
import type { EvaluationContext } from './context.ts'
import type { ItemNeed } from './flows/flow.ts'
import { isEnded, type Owner } from './owners/owner.ts'
import type { Once } from './store.ts'

/** How an item ended, with the sums of its partition up to it. */
export interface ItemEnd {
  counts: Counts
  payload: Payload
}

/** What is counted of items: of evaluations and of builds alike. */
export interface Progress {
  items: number
  passed: number
  notScored: number
  /** Failed as their code ran into its time limit. */
  timeouts: number
  /** What questions to models used. */
  requests: number
  promptTokens: number
  completionTokens: number
  /** The same of those who play further parts. */
  partyRequests: number
  partyPromptTokens: number
  partyCompletionTokens: number
}
export const noProgress: Progress = {
  items: 0,
  passed: 0,
  notScored: 0,
  timeouts: 0,
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  partyRequests: 0,
  partyPromptTokens: 0,
  partyCompletionTokens: 0,
}

const subjectOf = {
  generate: subjects.generate,
  translate: subjects.translate,
  execute: subjects.execute,
  score: subjects.score,
  session: subjects.session,
} as const satisfies Record<Exclude<ItemNeed['kind'], 'ask' | 'compare'>, string>

export const startMessage = (item: Item) => ({
  id: `${itemId(item)}:start`,
  value: { start: stepId({ item, rev: 0 }) },
})

const running = (owner: Owner | null) => (owner && !isEnded(owner) ? owner : null)

export function workflowsOf(context: EvaluationContext): Engine<Owner, ItemNeed> {
  const host: Host<Owner, ItemNeed> = {
    definition: ({ kind }) => {
      const plan = context.plans[kind]
      return {
        item: (owner, stage, index) => plan.item(context, owner as never, stage, index),
        counts: (outcome, owner) => ({ ...plan.counts(outcome, owner as never) }),
        stageEnded: (owner, stage) => plan.finished(context, owner as never, stage),
      }
    },
    workflows: {
      recent: async (id) => running(await context.owners.recent(id)),
      current: async (id) => running(await context.owners.get(id)),
      watched: async () => (await context.active.page(undefined, 10_000)).map(({ id }) => id),
      unwatch: async (id) => void (await context.active.remove(id)),
      watch: async (id) => void (await context.active.create(id, {})),
      fail: (id, error) => context.owners.end(id, { status: 'failed', error }),
    },
    ends: endsIn(context),
    claimStageEnd: (id, stage) => context.ends.put(`${id}/${stage}`, true),
    sendStart: (item) => context.send(subjects.step, startMessage(item)),
    async sendNeed(step, need, state) {
      const id = stepId(step)
      // Models are asked within this service, which makes the question from the state by itself.
      if (need.kind === 'ask' || need.kind === 'compare')
        return context.send(subjects.ask, { id, value: { state: state as Json } })
      // A repeated item may have come here another way, where a model was away the first time: other work is another job.
      const job = `${id}#${sha256(JSON.stringify(need.payload)).slice(0, 12)}`
      const carried = state === null ? undefined : await context.artifacts.pack(state)
      await context.send(subjectOf[need.kind], {
        id: job,
        value: need.payload,
        replyTo: { subject: subjects.step, correlation: id, ...(carried && { carried }) },
      })
    },
    after: (ms, work) => void setTimeout(work, ms).unref(),
    now: () => performance.now(),
    isAway,
    isPermanent: (error) => error instanceof ProblemError && !isAway(error),
  }
  return createEngine(host)
}

function endsIn({
  results,
  artifacts,
}: {
  results: Once<ItemEnd>
  artifacts: EvaluationContext['artifacts']
}): Host<Owner, ItemNeed>['ends'] {
  return {
    put: async (id, counts, outcome) => results.put(id, { counts, payload: await artifacts.pack(outcome) }),
    counts: async (ids) => (await results.many(ids)).map((end) => end?.counts ?? null),
    async *outcomes(ids) {
      for (const end of await results.many(ids)) yield end && { outcome: await artifacts.unpack(end.payload) }
    },
  }
}

export const newStage = (total: number, window: number): Stage => ({
  total,
  partitions: Math.max(1, Math.min(total, window)),
})

/** Begins the stage that an owner has entered, and tells those who watch. */
export async function beginStage(
  { engine, bus }: Pick<EvaluationContext, 'engine' | 'bus'>,
  owner: Owner,
): Promise<void> {
  await engine.beginStage(owner)
  await bus.publishEvent(owner.kind, owner.id, 'stage', {
    stage: owner.stage,
    total: owner.stages[owner.stage]?.total ?? 0,
  } satisfies Json)
}

/** Of each outcome of a stage what `part` takes, in order, so that the rest never piles up; with `partial`, of those there are. */
const outcomes =
  (how: { partial: boolean }) =>
  <T, Part = T>(
    { engine }: Pick<EvaluationContext, 'engine'>,
    owner: Owner,
    stage: string,
    part: (outcome: T) => Part = (outcome) => outcome as unknown as Part,
  ): Promise<Part[]> =>
    engine.outcomes(owner, stage, (outcome) => part(outcome as T), how)

/** Of a stage that has ended; throws where an item has not. */
export const outcomesOf = outcomes({ partial: false })
/** Of a stage that runs or was stopped: of the items that have ended. */
export const outcomesSoFar = outcomes({ partial: true })

/** Who tells how far items have come. */
export interface Progresses {
  engine: Pick<Engine<Owner, ItemNeed>, 'sums'>
}
/** What has ended of the stage that an owner is at. */
export const progressOf = async (
  { engine }: Progresses,
  owner: Owner,
  how?: { look: boolean },
): Promise<Progress> => ({
  ...noProgress,
  ...(await engine.sums(owner, how)),
})
