/** An episode for the flows: its case and options, and the part of its record that the agent sees. */
import { type AgentReply, type BenchmarkCase, type EpisodeTurn, ProblemError } from '@stateeval/contracts'
import {
  beginningOf,
  entriesOf,
  type Entry,
  type SampleContext,
  type SampleOutcome,
  type SampleState,
} from '@stateeval/flows'
import type { Answered } from '@stateeval/models'
import type { Catalog } from '../catalog.ts'
import type { Owners } from '../owners/owners.ts'
import { artifactsOfCase, examplesFor, type Sets } from '../owners/sets.ts'
import { entryStore, type SampleStores } from '../threads/apart.ts'
import type { ArtifactCache } from '@stateeval/service-kit'
import type { Blocks } from '../streams/blocks.ts'
import type { KnownStream } from '../streams/stored.ts'
import { type StoredEpisode, stepKey } from './stored.ts'

export interface SampleSources extends SampleStores, Pick<Catalog, 'benchmark'> {
  sets: Sets
  artifactCache: ArtifactCache
  owners: Pick<Owners, 'benchmark'>
  blocks: Pick<Blocks, 'holding'>
  knownStream(id: string): Promise<KnownStream>
}

const gone = (what: string) =>
  new ProblemError(
    'conflict',
    `the ${what} of this episode was deleted, so it cannot continue; open another episode`,
  )

/** The case of an episode; a block that was removed meanwhile is made again. */
async function caseOf(
  context: SampleSources,
  { benchmark, place, stream }: StoredEpisode,
): Promise<BenchmarkCase> {
  if (stream) {
    const known = await context.knownStream(stream.id).catch((error: unknown) => {
      throw error instanceof ProblemError && error.code === 'not-found' ? gone(`stream ${stream.id}`) : error
    })
    await context.blocks.holding(known, stream.index)
  }
  try {
    return await context.sets.case(benchmark, place)
  } catch (error) {
    if (!stream && !(await context.owners.benchmark(benchmark))) throw gone(`benchmark ${benchmark}`)
    throw error
  }
}

export async function sampleOf(context: SampleSources, episode: StoredEpisode): Promise<SampleContext> {
  const { id, benchmark: set, kind, options, parties } = episode
  const benchmark = context.benchmark(kind)
  const testCase = await caseOf(context, episode)
  const examples = await examplesFor(context, set, benchmark, testCase, options)
  return {
    benchmark,
    case: testCase,
    artifacts: await context.artifactCache.load([testCase, ...(examples ?? [])].flatMap(artifactsOfCase)),
    sample: 0,
    item: id,
    responder: { kind: 'agent' },
    ...(parties && { parties }),
    options: { ...options, ...(examples && { examples }) },
  }
}

type AgentNeed = Extract<SampleState, { step: 'play' }> & { need: { kind: 'reply' } }

/** Tells whether it is the agent's turn. */
export const waitsForAgent = (state: SampleState): state is AgentNeed =>
  state.step === 'play' && state.need.kind === 'reply' && state.need.role === 'model'

/** An agent's reply in the form of an answer. */
export function answeredBy(episode: string, step: number, reply: AgentReply): Answered {
  const { text = '', toolCalls, ms, usage } = reply
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {}
  const reported = { requests: 1, promptTokens, completionTokens }
  const calls = toolCalls?.length ? toolCalls : undefined
  return {
    text,
    ...(calls && { toolCalls: calls }),
    finish: reply.finish ?? (calls ? 'tool_calls' : 'stop'),
    usage: reported,
    reported,
    ...(ms !== undefined && { ms }),
    retries: 0,
    repeated: 0,
    storeKey: stepKey(episode, step),
    kept: false,
  }
}

/** Selects new entries in a conversation since its last reply. */
function newIn(entries: readonly Entry[], transcript: number): Pick<EpisodeTurn, 'messages' | 'tools'> {
  let messages: EpisodeTurn['messages'] = []
  let tools: EpisodeTurn['tools']
  for (const entry of entries) {
    if (!('messages' in entry) || entry.transcript !== transcript) continue
    if (entry.messages.some(({ role }) => role === 'assistant')) {
      messages = []
      tools = undefined
      continue
    }
    messages = [...messages, ...entry.messages]
    if (entry.tools) tools = entry.tools
  }
  return { messages, ...(tools && { tools }) }
}

/** The turn of a state that waits for the agent. */
export async function openTurn(
  stores: SampleSources,
  sample: SampleContext,
  step: number,
  { need, log }: AgentNeed,
): Promise<EpisodeTurn> {
  const entries = [
    ...beginningOf(sample, sample.options).entries,
    ...(await entriesOf(log, entryStore(stores))),
  ]
  const { transcript, toolChoice, schema, parameters } = need
  return {
    episode: sample.item,
    step,
    done: false,
    conversation: transcript,
    ...newIn(entries, transcript),
    ...(toolChoice && { toolChoice }),
    ...(schema && { schema }),
    ...(parameters && { parameters }),
  }
}

/** The turn of an episode that has ended, with its reward. */
export function lastTurn(episode: string, step: number, { scored }: SampleOutcome): EpisodeTurn {
  const { score, notScored } = scored
  return {
    episode,
    step,
    done: true,
    messages: [],
    reward: score && (score.reward ?? (score.passed ? 1 : 0)),
    ...(score ? { score } : { notScored: notScored ?? 'not scored' }),
  }
}
