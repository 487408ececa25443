/**
 * The same loop in one process: the flow of a sample, the worlds, and the score, without HTTP, queue and
 * stored state. What an episode over HTTP takes besides is the server's own.
 */
import type { AgentReply, EpisodeTurn, JobPayload } from '@stateeval/contracts'
import {
  buildDialogue,
  loadEntries,
  type SampleContext,
  sampleFlow,
  type SampleState,
} from '@stateeval/flows'
import { makeWorlds } from '@stateeval/scenarios/backends'
import { ProblemError } from '@stateeval/contracts'
import { createLog, drawRandomHex } from '@stateeval/service-kit'
import { buildAgentAnswer, isWaitingForAgent } from '@stateeval/environment'
import { ToolSessions } from '../../services/execution/src/sessions/sessions.ts'
import type { LogEntry, StoredSession } from '../../services/execution/src/sessions/store.ts'
import type { Stepper } from './drive.ts'

const nowhere = { put: () => Promise.reject(new Error('kept here')), get: async () => [] }

interface InProcess {
  open(context: Omit<SampleContext, 'item' | 'responder' | 'sample'>): Stepper
  close(): Promise<void>
}

export function inProcess(mongodb: string): InProcess {
  const worlds = makeWorlds({ mongodb, namespace: `perf${drawRandomHex(4)}`, concurrency: 64, settings: {} })
  const sessions = new Map<string, StoredSession>()
  const entries = new Map<string, LogEntry>()
  const pack = async (value: unknown) => ({ text: JSON.stringify({ inline: value }) })
  const toolSessions = new ToolSessions({
    store: {
      create: async (session) =>
        (sessions.has(session._id) ? sessions : sessions.set(session._id, session)).get(session._id)!,
      find: async (id) => sessions.get(id) ?? null,
      append: async (id, index, entry) => {
        const key = `${id}:${index}`
        if (!entries.has(key)) entries.set(key, entry)
        return entries.get(key)!
      },
      entry: async (id, index) => entries.get(`${id}:${index}`) ?? null,
    },
    artifacts: { pack } as never,
    artifactCache: nowhere as never,
    log: createLog('perf', { level: 'silent' }),
    world: async (id) => {
      const world = worlds.find((one) => one.id === id)
      if (!world) throw new ProblemError('unprocessable', `there is no world ${id}`)
      return world
    },
    now: () => new Date(),
    runtime: 'perf',
    maxOpen: 128,
    idleMs: 60_000,
  })

  async function meet(context: SampleContext, state: SampleState): Promise<unknown> {
    const need = sampleFlow.need(state, context, await loadEntries(state.log, nowhere))
    switch (need.kind) {
      case 'session': {
        const job = need.payload
        if (job.kind === 'open') {
          const { session, tools } = await toolSessions.open(job.session, job)
          return { kind: 'opened', variables: session.input.variables, tools, seed: session.seed }
        }
        if (job.kind === 'call') return { kind: 'called', ...(await toolSessions.call(job.session, job)) }
        const closed = await toolSessions.close(job.session, job.result)
        return { kind: 'closed', result: unpacked(closed) }
      }
      case 'score': {
        const { case: testCase, candidate } = need.payload
        return context.benchmark.score({ case: testCase, candidate })
      }
      default:
        return { ...buildAgentAnswer('judge', 0, { text: 'Yes.' }) }
    }
  }
  return {
    open(about) {
      const context: SampleContext = {
        ...about,
        item: drawRandomHex(12),
        sample: 0,
        responder: { kind: 'agent' },
      }
      let waiting: SampleState | null = null
      const advance = async (first: ReturnType<typeof sampleFlow.start>): Promise<EpisodeTurn> => {
        let next = first
        for (;;) {
          if ('done' in next) {
            const { score } = next.done.scored
            return turn(context.item, true, score ? (score.reward ?? Number(score.passed)) : null)
          }
          const { state } = next
          const known = await loadEntries(state.log, nowhere)
          if (isWaitingForAgent(state)) {
            waiting = state
            buildDialogue(known)
            return turn(context.item, false)
          }
          const value = await meet(context, state)
          next = sampleFlow.resume(state, { ok: true, value }, context, known)
        }
      }
      return {
        first: () => advance(sampleFlow.start(context)),
        step: async (step: number, reply: AgentReply) => {
          const state = waiting!
          const answer = { ok: true as const, value: buildAgentAnswer(context.item, step, reply) }
          return advance(sampleFlow.resume(state, answer, context, await loadEntries(state.log, nowhere)))
        },
      }
    },
    async close() {
      await toolSessions.stop()
      await Promise.all(worlds.map((world) => world.close()))
    },
  }
}

const turn = (episode: string, done: boolean, reward?: number | null): EpisodeTurn => ({
  episode,
  step: 0,
  done,
  messages: [],
  ...(reward !== undefined && { reward }),
})

/** Parts of a result that were kept inline. */
function unpacked(parts: unknown): unknown {
  const one = parts as { list?: unknown[]; object?: Record<string, unknown> } & Partial<
    JobPayload & { inline: unknown }
  >
  if (one.list) return one.list.map(unpacked)
  if (one.object)
    return Object.fromEntries(Object.entries(one.object).map(([name, part]) => [name, unpacked(part)]))
  if (!('inline' in one)) throw new Error('a part is no longer inline')
  return one.inline
}
