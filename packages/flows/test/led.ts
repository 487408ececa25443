/**
 * A sample led in memory as the engine leads it: states go through JSON, entries through a store that counts.
 */
import type {
  ExecutionRequest,
  JsonValue,
  Score,
  ToolResult,
  ToolSessionAnswer,
  ToolSessionJob,
} from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import { type EpisodeEntry, loadEntries, type EntryStore, settleLog } from '../src/dialogue.ts'
import type { ComparisonResult, ItemAnswer, ItemNeed } from '../src/flow.ts'
import { sampleFlow } from '../src/sample-flow.ts'
import type { SampleContext, SampleOutcome, SampleState } from '../src/sample.ts'

/** The code that a need asks to run. Throws where it asks for something else. */
export function codeOf({ kind, payload }: ItemNeed): ExecutionRequest {
  if (kind !== 'execute' || !('code' in payload)) throw new Error(`a need of kind ${kind} runs no code`)
  return payload
}
/** What a benchmark scores where a need asks for it. Throws where it asks for something else. */
export function scoreOf({ score }: Pick<Benchmark, 'score'>, need: ItemNeed): Score {
  if (need.kind !== 'score') throw new Error(`a need of kind ${need.kind} scores nothing`)
  return score(need.payload)
}

export const done = (value: unknown): ItemAnswer => ({ ok: true, value: value as JsonValue })

/**
 * What one step cost: bytes that travel with its need, entries that were read and written, bytes that were
 * written.
 */
interface StepCost {
  need: ItemNeed['kind']
  carried: number
  reads: number
  writes: number
  bytesWritten: number
}

export async function leadSample(
  context: SampleContext,
  answer: (need: ItemNeed) => ItemAnswer,
): Promise<{ out: SampleOutcome; needs: ItemNeed[]; costs: StepCost[]; pauses: number[] }> {
  const chunks = new Map<string, string>()
  // As the service has it: what this process wrote or read stays at hand.
  const atHand = new Map<string, readonly EpisodeEntry[]>()
  const cost = { reads: 0, writes: 0, bytesWritten: 0 }
  const store: EntryStore = {
    async put(entries) {
      const text = JSON.stringify(entries)
      const hash = `h${chunks.size}`
      cost.writes++
      cost.bytesWritten += text.length
      chunks.set(hash, text)
      atHand.set(hash, entries)
      return hash
    },
    async get(hash) {
      const entries = atHand.get(hash)
      if (entries) return entries
      cost.reads++
      return JSON.parse(chunks.get(hash)!) as EpisodeEntry[]
    },
  }
  const needs: ItemNeed[] = []
  const costs: StepCost[] = []
  const pauses: number[] = []
  let next = sampleFlow.start(context)
  for (;;) {
    if ('done' in next) return { out: next.done, needs, costs, pauses }
    if (next.afterMs !== undefined) pauses.push(next.afterMs)
    const { step } = next.state
    const log = step === 'score' ? next.state.log : await settleLog(next.state.log, store)
    const text = JSON.stringify({ ...next.state, log })
    const state = JSON.parse(text) as SampleState
    const entries = await loadEntries(state.log, store)
    const need = sampleFlow.need(state, context, entries)
    needs.push(need)
    costs.push({ need: need.kind, carried: text.length, ...cost })
    Object.assign(cost, { reads: 0, writes: 0, bytesWritten: 0 })
    next = sampleFlow.resume(state, answer(need), context, await loadEntries(state.log, store))
  }
}

/** Sessions that hold what is added to them; `types` are those that the world takes. */
export function fakeSessions() {
  const open = new Map<
    string,
    { log: ToolResult[]; items: { id: string; source: string; type: string; data: JsonValue }[] }
  >()
  const closed: string[] = []
  const answer = (job: ToolSessionJob): ToolSessionAnswer => {
    const session = open.get(job.session) ?? { log: [], items: [] }
    open.set(job.session, session)
    const { log, items } = session
    if (job.kind === 'open')
      return {
        kind: 'opened',
        seed: '0'.repeat(32),
        variables: {},
        tools: ['addSession', 'listSessions', 'deleteSession'].map((name) => ({ name })),
      }
    if (job.kind === 'call') {
      if (job.index !== log.length) throw new Error(`${job.session}: call ${job.index} of ${log.length}`)
      const results = job.calls.map(({ id, name, arguments: text }): ToolResult => {
        const args = JSON.parse(text) as { id?: string; source: string; type: string; data: JsonValue }
        const here = items.filter(({ source, type }) => source === args.source && type === args.type)
        if (args.type !== 'settings' && args.type !== 'group')
          return { id, content: '{"status":400}', error: true }
        if (name === 'listSessions') return { id, content: JSON.stringify(here) }
        const newId = `${items.length}`.padStart(24, 'a')
        if (name === 'addSession')
          items.push({ id: newId, source: args.source, type: args.type, data: args.data })
        else
          items.splice(
            items.findIndex((item) => item.id === args.id),
            1,
          )
        return { id, content: name === 'addSession' ? JSON.stringify({ id: newId }) : '' }
      })
      log.push(...results)
      return { kind: 'called', results }
    }
    closed.push(job.session)
    return {
      kind: 'closed',
      result: {
        observations: [
          {
            ending: { status: 'no_result', reason: 'a dialogue' },
            world: { state: { items }, ids: { initial: [], created: [] }, gone: [] },
            log: [],
            output: '',
            faults: [],
            wallMs: 1,
            sandbox: 'none',
          },
        ],
        runtime: 'fake',
      },
    }
  }
  return { answer, closed }
}

export const modelAnswer = (text: string, over: object = {}) =>
  done({
    text,
    finish: 'stop',
    usage: { requests: 1, promptTokens: 2, completionTokens: 3 },
    retries: 0,
    repeated: 0,
    place: 'a'.repeat(64),
    kept: false,
    ...over,
  })
export const compared = (matrix: number[][]): ItemAnswer =>
  done({
    end: { matrix },
    usage: { requests: 2, promptTokens: 4, completionTokens: 0 },
    retries: 0,
    repeated: 0,
    kept: 0,
    storeKeys: ['left', 'right'],
  } satisfies ComparisonResult)
