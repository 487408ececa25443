/** An episode for the flows: its case and options, and the part of its record that the agent sees. */
import {
  type AgentReply,
  type BenchmarkCase,
  type EpisodeTurn,
  listCaseArtifacts,
  ProblemError,
} from '@stateeval/contracts'
import {
  beginEpisode,
  loadEntries,
  type EpisodeEntry,
  type SampleContext,
  type SampleOutcome,
  type SampleState,
} from '@stateeval/flows'
import type { AnsweredQuestion } from '@stateeval/models'
import { type SuiteCatalog, loadExamples, type BenchmarkSets } from '@stateeval/sets'
import { type OwnerStore, createEntryStore, type SampleStores } from '@stateeval/jobs'
import type { ArtifactCache } from '@stateeval/service-kit'
import type { StreamBlocks } from '../streams/blocks.ts'
import type { KnownStream } from '../streams/stored.ts'
import { type StoredEpisode, formatStepKey } from './stored.ts'

export interface SampleSources extends SampleStores, Pick<SuiteCatalog, 'benchmark'> {
  sets: BenchmarkSets
  artifactCache: ArtifactCache
  owners: Pick<OwnerStore, 'benchmark'>
  blocks: Pick<StreamBlocks, 'holding'>
  knownStream(id: string): Promise<KnownStream>
}

const createGoneError = (what: string) =>
  new ProblemError(
    'conflict',
    `the ${what} of this episode was deleted, so it cannot continue; open another episode`,
  )

/** The case of an episode; a block that was removed meanwhile is made again. */
async function loadCase(
  context: SampleSources,
  { benchmark, place, stream }: StoredEpisode,
): Promise<BenchmarkCase> {
  if (stream) {
    const known = await context.knownStream(stream.id).catch((error: unknown) => {
      throw error instanceof ProblemError && error.code === 'not-found'
        ? createGoneError(`stream ${stream.id}`)
        : error
    })
    await context.blocks.holding(known, stream.index)
  }
  try {
    return await context.sets.case(benchmark, place)
  } catch (error) {
    if (!stream && !(await context.owners.benchmark(benchmark)))
      throw createGoneError(`benchmark ${benchmark}`)
    throw error
  }
}

export async function loadSampleContext(
  context: SampleSources,
  episode: StoredEpisode,
): Promise<SampleContext> {
  const { id, benchmark: set, kind, options, parties } = episode
  const benchmark = context.benchmark(kind)
  const testCase = await loadCase(context, episode)
  const examples = await loadExamples(context, set, benchmark, testCase, options)
  return {
    benchmark,
    case: testCase,
    artifacts: await context.artifactCache.load([testCase, ...(examples ?? [])].flatMap(listCaseArtifacts)),
    sample: 0,
    item: id,
    responder: { kind: 'agent' },
    ...(parties && { parties }),
    options: { ...options, ...(examples && { examples }) },
  }
}

type AgentNeed = Extract<SampleState, { step: 'play' }> & { need: { kind: 'reply' } }

/** Tells whether it is the agent's turn. */
export const isWaitingForAgent = (state: SampleState): state is AgentNeed =>
  state.step === 'play' && state.need.kind === 'reply' && state.need.role === 'model'

/** An agent's reply in the form of an answer. */
export function buildAgentAnswer(episode: string, step: number, reply: AgentReply): AnsweredQuestion {
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
    storeKey: formatStepKey(episode, step),
    kept: false,
  }
}

/** Selects the entries of a conversation since its last reply. */
function selectNewEntries(
  entries: readonly EpisodeEntry[],
  transcript: number,
): Pick<EpisodeTurn, 'messages' | 'tools'> {
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
    ...beginEpisode(sample, sample.options).entries,
    ...(await loadEntries(log, createEntryStore(stores))),
  ]
  const { transcript, toolChoice, schema, parameters } = need
  return {
    episode: sample.item,
    step,
    done: false,
    conversation: transcript,
    ...selectNewEntries(entries, transcript),
    ...(toolChoice && { toolChoice }),
    ...(schema && { schema }),
    ...(parameters && { parameters }),
  }
}

/** The turn of an episode that has ended, with its reward. */
export function buildLastTurn(episode: string, step: number, { scored }: SampleOutcome): EpisodeTurn {
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
