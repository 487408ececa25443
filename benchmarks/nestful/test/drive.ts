/**
 * Leads an answer through the episode, runs what it asks for in the world `functions` of this process, and
 * scores it.
 */
import type {
  CallsRequest,
  Candidate,
  EpisodeOptions,
  ExecutionResult,
  JsonValue,
  JsonObject,
  Observation,
  SpeakerReply,
  Score,
} from '@stateeval/contracts'
import { type Benchmark, runEpisode, type ReplyPlayer } from '@stateeval/program'
import { completeLimits, type WorldHost } from '@stateeval/sandbox'
import { createWorld } from '../backend/index.ts'
import type { NestfulCase } from '../case.ts'
import { nestful } from '../index.ts'

export const benchmarkOf = (artifacts: Readonly<Record<string, Uint8Array>>): Benchmark<NestfulCase> =>
  nestful({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  })

const world = createWorld({} as WorldHost)

/** The one call of the request, as execution makes it. */
export async function executeCalls({ calls: [call], world: id }: CallsRequest): Promise<ExecutionResult> {
  if (id !== 'functions' || !call) throw new Error(`only the world functions is here, not ${id}`)
  const open = await world.open({}, completeLimits({}), '')
  const { content, error } = await open.call!(call.name, JSON.parse(call.arguments) as JsonObject)
  const { world: state, log, faults } = await open.observe()
  const observation: Observation = {
    ending: error
      ? { status: 'threw', error: { name: 'CallError', message: content } }
      : { status: 'completed', result: [JSON.parse(content) as JsonValue] },
    world: state,
    log,
    output: '',
    faults,
    wallMs: 0,
    sandbox: 'none',
  }
  return { observations: [observation], runtime: 'here' }
}

export const defaults: EpisodeOptions = { prompting: 'direct' }

export async function candidateOf(
  benchmark: Benchmark<NestfulCase>,
  c: NestfulCase,
  reply: string | SpeakerReply | ReplyPlayer,
  options: Partial<EpisodeOptions> = {},
): Promise<Candidate> {
  const { candidate, notScored } = await runEpisode(
    benchmark.episode,
    c,
    { ...defaults, ...options },
    {
      reply:
        typeof reply === 'function'
          ? reply
          : () => (typeof reply === 'string' ? { text: reply, finish: 'stop' } : reply),
      execute: () => {
        throw new Error('no code is run here')
      },
      executeCalls,
    },
  )
  if (notScored) throw new Error(notScored.detail)
  return candidate
}

export async function scoreOf(
  benchmark: Benchmark<NestfulCase>,
  c: NestfulCase,
  reply: string | SpeakerReply | ReplyPlayer,
  options: Partial<EpisodeOptions> = {},
): Promise<Score> {
  return benchmark.score({ case: c, candidate: await candidateOf(benchmark, c, reply, options) })
}
