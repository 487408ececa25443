/** Episodes: opened, stepped, read, renewed, deleted. */
import {
  type EpisodeRequest,
  type EpisodeResource,
  type EpisodeTurn,
  type EvaluationRequest,
  ProblemError,
} from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import {
  checkLanguages,
  completeEvaluationOptions,
  listSetWorlds,
  type BenchmarkSets,
  listScenarios,
} from '@stateeval/sets'
import type { StoredEpisode } from '../episodes/stored.ts'
import { getPlaceInBlock } from '../streams/layout.ts'
import { requireStream } from '../streams/stored.ts'
import { requireReadyBenchmark } from '@stateeval/jobs'
import type { EpisodesContext } from '../context.ts'
import type { EvaluationRoute } from '@stateeval/jobs'

type EpisodeSource = Pick<EpisodesContext, 'episodes'>

async function describeEpisode(
  context: EpisodeSource,
  episode: StoredEpisode,
  turn: EpisodeTurn | null,
): Promise<EpisodeResource> {
  const { id, benchmark, stream, case: name, createdAt } = episode
  const until = turn?.done ? null : await context.episodes.endOf(id)
  const self = `/v1/episodes/${id}`
  return {
    id,
    status: turn?.done ? 'done' : until ? 'open' : 'expired',
    ...(stream ? { stream: stream.id, index: stream.index } : { benchmark }),
    case: name,
    createdAt,
    ...(until && { expiresAt: until.toISOString() }),
    ...(turn && { turn }),
    links: {
      self,
      steps: `${self}/steps`,
      renew: `${self}/renew`,
      ...(stream ? { stream: `/v1/streams/${stream.id}` } : { benchmark: `/v1/benchmarks/${benchmark}` }),
    },
  }
}

/** The place of a case in its set: the one that is named, else one that is drawn. */
async function choosePlace(
  { sets }: { sets: BenchmarkSets },
  benchmark: string,
  { case: name, seed = 1 }: Pick<EpisodeRequest, 'case' | 'seed'>,
) {
  const ids = await sets.ids(benchmark)
  const place = name === undefined ? createRng(`episode/${seed}`).int(0, ids.length - 1) : ids.indexOf(name)
  const id = ids[place]
  if (id !== undefined) return { place, case: id }
  throw new ProblemError(
    'unprocessable',
    `the benchmark ${benchmark} has no case ${JSON.stringify(name)}; GET /v1/benchmarks/${benchmark}/cases lists them`,
    '/case',
  )
}

/** The subject of an episode, and its place in a set or stream. */
type EpisodeSubject = Pick<StoredEpisode, 'benchmark' | 'kind' | 'place' | 'case' | 'stream'> & {
  worlds: string[]
}

async function buildBenchmarkSubject(
  context: EpisodesContext,
  set: string,
  request: EpisodeRequest,
): Promise<EpisodeSubject> {
  if (request.index !== undefined)
    throw new ProblemError(
      'unprocessable',
      'index names a task of a stream; give stream, or leave index out',
      '/index',
    )
  const { manifest, kind } = await requireReadyBenchmark(context, set)
  const worlds = request.language ? await listSetWorlds(context, set, manifest) : []
  return { benchmark: set, kind, worlds, ...(await choosePlace(context, set, request)) }
}

async function buildStreamSubject(
  context: EpisodesContext,
  id: string,
  request: EpisodeRequest,
): Promise<EpisodeSubject> {
  const { index, prompting } = request
  if (request.case !== undefined)
    throw new ProblemError(
      'unprocessable',
      'case names a case of a benchmark; a task of a stream has an index',
      '/case',
    )
  if (index === undefined)
    throw new ProblemError('unprocessable', 'stream needs index: the position of the task, from 0', '/index')
  const { purpose, revealedAt, kind, options } = await requireStream(context, id)
  if (revealedAt)
    throw new ProblemError(
      'conflict',
      `the seed of the stream ${id} is public, so it takes no new episodes; create a training stream with that seed`,
      '/stream',
    )
  if (purpose === 'held-out' && prompting === 'few-shot')
    throw new ProblemError(
      'unprocessable',
      'few-shot shows references of other tasks, which a sealed stream keeps secret; use another prompting',
      '/prompting',
    )
  const set = await context.blocks.holding(await context.knownStream(id), index)
  const place = getPlaceInBlock(index)
  const { id: name } = await context.sets.case(set, place)
  const worlds = (await listScenarios(context, options)).map(({ world }) => world)
  return { benchmark: set, kind, place, case: name, stream: { id, index }, worlds }
}

function buildSubject(context: EpisodesContext, request: EpisodeRequest): Promise<EpisodeSubject> {
  const { benchmark, stream } = request
  if (benchmark !== undefined && stream === undefined)
    return buildBenchmarkSubject(context, benchmark, request)
  if (stream !== undefined && benchmark === undefined) return buildStreamSubject(context, stream, request)
  throw new ProblemError(
    'unprocessable',
    'an episode needs a benchmark, or a stream and an index; give one of the two',
    benchmark === undefined ? '/benchmark' : '/stream',
  )
}

export const createEpisode: EvaluationRoute<'createEpisode', EpisodesContext> = async (
  { body, idempotencyKey },
  context,
) => {
  const {
    benchmark: _benchmark,
    case: _case,
    stream: _stream,
    index: _index,
    leaseSeconds = 900,
    judge: _j,
    user: _u,
    embeddings: _e,
    responses: _r,
    ...chosenOptions
  } = body
  const { worlds, ...subject } = await buildSubject(context, body)
  const benchmark = context.benchmark(subject.kind)
  const options = completeEvaluationOptions(benchmark, chosenOptions)
  if (options.language && worlds.length > 0)
    await checkLanguages(context, worlds, [options.language], '/language')
  const { judge, user, embeddings, responses } = body
  const request: EvaluationRequest = {
    benchmark: subject.benchmark,
    ...(judge !== undefined && { judge }),
    ...(user !== undefined && { user }),
    ...(embeddings !== undefined && { embeddings }),
    ...(responses && { responses }),
  }
  const parties = await context.chooseParties(request, benchmark, options)
  context.bus.check()
  const { episode, turn } = await context.episodes.open({
    id: context.newId('ep', idempotencyKey),
    ...subject,
    options,
    ...(parties && { parties }),
    leaseSeconds,
    createdAt: context.now().toISOString(),
  })
  return {
    status: 201,
    body: await describeEpisode(context, episode, turn),
    headers: { location: `/v1/episodes/${episode.id}` },
  }
}

export const getEpisode: EvaluationRoute<'getEpisode', EpisodeSource> = async (
  { params: { id } },
  context,
) => {
  const episode = await context.episodes.existing(id)
  return { status: 200, body: await describeEpisode(context, episode, await context.episodes.newest(id)) }
}

export const stepEpisode: EvaluationRoute<'stepEpisode', EpisodeSource> = async (
  { params: { id }, body: { step, reply } },
  context,
) => {
  return { status: 200, body: await context.episodes.step(id, step, reply) }
}

export const renewEpisode: EvaluationRoute<'renewEpisode', EpisodeSource> = async (
  { params: { id }, body: { leaseSeconds } },
  context,
) => {
  const episode = await context.episodes.existing(id)
  const turn = await context.episodes.newest(id)
  if (!turn?.done) await context.episodes.renew(id, leaseSeconds ?? episode.leaseSeconds)
  return { status: 200, body: await describeEpisode(context, episode, turn) }
}

export const deleteEpisode: EvaluationRoute<'deleteEpisode', EpisodeSource> = async (
  { params: { id } },
  context,
) => {
  await context.episodes.remove(id)
  return { status: 204 }
}
