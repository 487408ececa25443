/** Episodes: opened, stepped, looked at, renewed, deleted. */
import {
  type EpisodeRequest,
  type EpisodeResource,
  type EpisodeTurn,
  type EvaluationRequest,
  ProblemError,
} from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import type { Platform } from '@stateeval/service-kit'
import type { Catalog } from '../catalog.ts'
import { checkLanguages, completeOptions, worldsOfSet } from '../choices/options.ts'
import { chooseParties, type PartyChoices } from '../choices/parties.ts'
import type { Episodes } from '../episodes/episodes.ts'
import type { Leases } from '../episodes/leases.ts'
import type { StoredEpisode } from '../episodes/stored.ts'
import type { Sets } from '../owners/sets.ts'
import { type OwnerSource, readyBenchmark } from './existing.ts'
import type { Route } from './route.ts'

interface EpisodeSource {
  episodes: Episodes
  leases: Leases
}
interface Opener
  extends
    EpisodeSource,
    OwnerSource,
    PartyChoices,
    Pick<Catalog, 'benchmark' | 'scenarios'>,
    Pick<Platform, 'newId' | 'now' | 'bus'> {
  sets: Sets
}

async function episodeResource(
  { leases }: Pick<EpisodeSource, 'leases'>,
  { id, benchmark, case: name, createdAt }: StoredEpisode,
  turn: EpisodeTurn | null,
): Promise<EpisodeResource> {
  const until = turn?.done ? null : await leases.endOf(id)
  const self = `/v1/episodes/${id}`
  return {
    id,
    status: turn?.done ? 'done' : until ? 'open' : 'expired',
    benchmark,
    case: name,
    createdAt,
    ...(until && { expiresAt: until.toISOString() }),
    ...(turn && { turn }),
    links: { self, steps: `${self}/steps`, renew: `${self}/renew`, benchmark: `/v1/benchmarks/${benchmark}` },
  }
}

/** The place of a case in its set: the one that is named, else one that is drawn. */
async function placeIn({ sets }: { sets: Sets }, { benchmark, case: name, seed = 1 }: EpisodeRequest) {
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

export const createEpisode: Route<'createEpisode', Opener> = async ({ body, idempotencyKey }, context) => {
  const {
    benchmark: set,
    case: _case,
    leaseSeconds = 900,
    judge: _j,
    user: _u,
    embeddings: _e,
    responses: _r,
    ...chosenOptions
  } = body
  const { manifest, kind } = await readyBenchmark(context, set)
  const benchmark = context.benchmark(kind)
  const options = completeOptions(benchmark, chosenOptions)
  if (options.language)
    await checkLanguages(context, await worldsOfSet(context, set, manifest), [options.language], '/language')
  const { judge, user, embeddings, responses } = body
  const request: EvaluationRequest = {
    benchmark: set,
    ...(judge !== undefined && { judge }),
    ...(user !== undefined && { user }),
    ...(embeddings !== undefined && { embeddings }),
    ...(responses && { responses }),
  }
  const parties = await chooseParties(context, request, benchmark, options)
  context.bus.check()
  const { episode, turn } = await context.episodes.open({
    id: context.newId('ep', idempotencyKey),
    benchmark: set,
    kind,
    ...(await placeIn(context, body)),
    options,
    ...(parties && { parties }),
    leaseSeconds,
    createdAt: context.now().toISOString(),
  })
  return {
    status: 201,
    body: await episodeResource(context, episode, turn),
    headers: { location: `/v1/episodes/${episode.id}` },
  }
}

export const getEpisode: Route<'getEpisode', EpisodeSource> = async ({ params: { id } }, context) => {
  const episode = await context.episodes.existing(id)
  return { status: 200, body: await episodeResource(context, episode, await context.episodes.newest(id)) }
}

export const stepEpisode: Route<'stepEpisode', EpisodeSource> = async (
  { params: { id }, body: { step, reply } },
  { episodes },
) => ({ status: 200, body: await episodes.step(id, step, reply) })

export const renewEpisode: Route<'renewEpisode', EpisodeSource> = async (
  { params: { id }, body: { leaseSeconds } },
  context,
) => {
  const episode = await context.episodes.existing(id)
  const turn = await context.episodes.newest(id)
  if (!turn?.done) await context.leases.renew(id, leaseSeconds ?? episode.leaseSeconds)
  return { status: 200, body: await episodeResource(context, episode, turn) }
}

export const deleteEpisode: Route<'deleteEpisode', EpisodeSource> = async ({ params: { id } }, context) => {
  await context.episodes.remove(id)
  return { status: 204 }
}
