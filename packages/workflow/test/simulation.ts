/**
 * Replicas of the engine on one store, with every wait under the control of a seeded scheduler: messages are
 * lost, repeated and delayed, replicas die between any two operations and are replaced.
 */
import { createRng, type RandomSource } from '@stateeval/program'
import {
  type ItemAnswer,
  type ItemCounts,
  createEngine,
  type WorkflowEngine,
  type WorkflowHost,
  type WorkflowItem,
  formatItemId,
  type ItemStep,
  type StagedWorkflow,
} from '../src/index.ts'

export interface Work extends StagedWorkflow {
  status: 'running' | 'succeeded' | 'failed'
  error?: string
  summed: Record<string, ItemCounts>
}
interface Need {
  index: number
  question: number
}
interface State {
  answers: number
  sum: number
}
type Message =
  | { kind: 'start'; item: WorkflowItem }
  | { kind: 'need'; step: ItemStep; need: Need; state: unknown }
  | Answered
interface Answered {
  kind: 'answer'
  step: ItemStep
  state: unknown
  answer: ItemAnswer
}

export interface Chances {
  lost: number
  repeated: number
  crash: number
  /** A sweep at a random moment; one comes besides where nothing moves any more. */
  sweep: number
  /** The host has room for 0 to so many items, as many as it says each time it is asked. */
  room?: number
}

/** Thrown in a dead replica's operations. */
class Dead extends Error {}

const needsOf = (index: number) => index % 4
const valueOf = ({ index, question }: Need) => index * 31 + question * 7
/** What item `index` must end with. */
export const expected = (index: number) => ({
  index,
  sum: Array.from({ length: needsOf(index) }, (_, question) =>
    question === 2 ? 1 : valueOf({ index, question }),
  ).reduce((a, b) => a + b, 0),
})

/** Leads one workflow of two stages to its end; rejects where it does not end. */
export async function simulate(
  seed: number,
  chances: Chances,
  stages: StagedWorkflow['stages'],
  replicas = 2,
) {
  const rng: RandomSource = createRng(`simulation/${seed}`)
  const order = Object.keys(stages)
  let work: Work = { id: 'w1', stage: order[0] ?? '', stages, status: 'running', summed: {} }
  const ends = new Map<string, { counts: ItemCounts; outcome: unknown }>()
  const claims = new Set<string>()
  const watched = new Set(['w1'])
  const queue: Message[] = []
  const waiting: { go: () => void; isDead: () => boolean }[] = []
  /** What a client saw who asked one replica after the other. */
  const readings: { stage: string; items: number }[] = []
  let reading = false
  const stats = { repeatedEnds: 0, crashes: 0, lost: 0, stalls: 0 }
  let now = 0

  const send = (message: Message) => {
    if (rng.chance(chances.lost)) stats.lost++
    else for (let copies = rng.chance(chances.repeated) ? 2 : 1; copies > 0; copies--) queue.push(message)
  }

  function replica() {
    const life = { dead: false }
    /**
     * Every operation waits for the scheduler, before and after it takes effect: a replica may die on either
     * side.
     */
    const wait = () =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ go: () => (life.dead ? reject(new Dead()) : resolve()), isDead: () => life.dead })
      })
    const operation = async <T>(effect: () => T): Promise<T> => {
      await wait()
      const value = effect()
      await wait()
      return value
    }
    /** As this replica read the workflow last; it believes that for a second. */
    let seen: { work: Work | null; at: number } | undefined
    const running = () => {
      seen = { work: work.status === 'running' ? { ...work } : null, at: now }
      return seen.work
    }
    const host: WorkflowHost<Work, Need> = {
      definition: () => ({
        item: async (_, __, index) => ({
          start: () =>
            needsOf(index) === 0
              ? { done: expected(index) }
              : { state: { answers: 0, sum: 0 } satisfies State, afterMs: index % 3 },
          resume(state, answer) {
            const { answers, sum } = state as State
            const next = { answers: answers + 1, sum: sum + (answer.ok ? (answer.value as number) : 1) }
            return next.answers === needsOf(index) ? { done: { index, sum: next.sum } } : { state: next }
          },
          need: (state) => ({ index, question: (state as State).answers }),
        }),
        counts: (outcome) => ({ sum: (outcome as State).sum }),
        async stageEnded(workflow, stage) {
          const sums = await engine.sums(workflow)
          const next = order[order.indexOf(stage) + 1]
          const entered = await operation(() => {
            if (work.status !== 'running' || work.stage !== stage) return false
            const summed = { ...work.summed, [stage]: sums }
            work =
              next === undefined ? { ...work, summed, status: 'succeeded' } : { ...work, summed, stage: next }
            running()
            return next !== undefined
          })
          if (entered) await engine.beginStage(work)
        },
      }),
      workflows: {
        recent: async () => (seen && now - seen.at < 1000 ? seen.work : operation(running)),
        current: async () => operation(running),
        watched: async () => operation(() => [...watched]),
        unwatch: async (id) => operation(() => void watched.delete(id)),
        watch: async (id) => operation(() => void watched.add(id)),
        fail: async (_, error) => operation(() => void (work = { ...work, status: 'failed', error })),
      },
      ends: {
        put: (id, counts, outcome) =>
          operation(() => {
            if (ends.has(id)) stats.repeatedEnds++
            else ends.set(id, { counts, outcome })
            return ends.get(id)?.outcome === outcome
          }),
        counts: (ids) => operation(() => ids.map((id) => ends.get(id)?.counts ?? null)),
        async *outcomes(ids) {
          for (const id of ids) yield await operation(() => ends.get(id) ?? null)
        },
      },
      room: () => (chances.room ? rng.int(0, chances.room) : 0),
      claimStageEnd: (id, stage) =>
        operation(() => {
          const isFirst = !claims.has(`${id}/${stage}`)
          claims.add(`${id}/${stage}`)
          return isFirst
        }),
      sendStart: (item) => operation(() => send({ kind: 'start', item })),
      sendNeed: (step, need, state) => operation(() => send({ kind: 'need', step, need, state })),
      checkQueues: async () => undefined,
      noteProgress: () => undefined,
      inTrace: (_, work) => work(),
      after: (_, task) => void wait().then(task, () => undefined),
      now: () => now,
      isAway: (error) => error instanceof Dead,
      isPermanent: () => false,
    }
    const engine: WorkflowEngine<Work, Need> = createEngine(host)
    return { life, engine }
  }

  const living = Array.from({ length: replicas }, replica)
  const pick = () => rng.pick(living)
  const ignoreDeath = (error: unknown) => {
    if (!(error instanceof Dead)) throw error
  }
  const inFlight = new Set<Promise<void>>()
  const failures: unknown[] = []
  const run = (work: Promise<unknown>) => {
    const tracked: Promise<void> = work
      .then(() => undefined, ignoreDeath)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => inFlight.delete(tracked))
    inFlight.add(tracked)
  }
  const deliver = (message: Message) => {
    const { engine } = pick()
    if (message.kind === 'start') run(engine.start(message.item))
    else if (message.kind === 'answer') run(engine.answer(message.step, message.state, message.answer))
    else {
      const { step, state, need } = message
      const answer: ItemAnswer =
        need.question === 2 ? { ok: false, refused: true, reason: 'no' } : { ok: true, value: valueOf(need) }
      // Now and then the host answers within its own process.
      if (rng.chance(0.3)) run(engine.waiting(step, state).then((at) => at?.answer(answer)))
      else send({ kind: 'answer', step, state, answer })
    }
  }

  run(pick().engine.beginStage(work))
  for (let actions = 0; work.status === 'running'; actions++) {
    if (actions > 400_000) throw new Error(`does not end: ${ends.size} items ended, stage ${work.stage}`)
    now += 50
    if (rng.chance(chances.crash)) {
      const at = rng.int(0, living.length - 1)
      living[at]!.life.dead = true
      living[at] = replica()
      stats.crashes++
    } else if (rng.chance(chances.sweep) || (queue.length === 0 && waiting.length === 0)) {
      if (queue.length === 0 && waiting.length === 0) stats.stalls++
      run(pick().engine.sweep(new AbortController().signal))
    } else if (!reading && rng.chance(0.05)) {
      reading = true
      const { stage } = work
      run(
        pick()
          .engine.sums(work, { look: true })
          .then(({ items = 0 }) => void readings.push({ stage, items }))
          .finally(() => (reading = false)),
      )
    } else if (queue.length > 0 && (waiting.length === 0 || rng.chance(0.4))) {
      const [message] = queue.splice(rng.int(0, queue.length - 1), 1)
      if (message) deliver(message)
    } else if (waiting.length > 0) waiting.splice(rng.int(0, waiting.length - 1), 1)[0]?.go()
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (failures.length > 0) throw failures[0]
  }
  const outcomes = (stage: string) =>
    Array.from(
      { length: stages[stage]?.total ?? 0 },
      (_, index) => ends.get(formatItemId({ workflow: 'w1', stage, index }))?.outcome,
    )
  return { work, outcomes, stats, readings, ends: ends.size }
}
