import type { EvaluationOptions, EvaluationRequest } from '@stateeval/contracts'
import type { OwnerSource } from '@stateeval/jobs'
import type { Benchmark } from '@stateeval/program'
import {
  type ArtifactCache,
  createSecretBox,
  type DocumentStore,
  type FixedDocuments,
  openInstallationKey,
  type PendingCleanup,
  type PromiseCache,
  type RevisedDocuments,
  type ServicePlatform,
  type ThreadPool,
} from '@stateeval/service-kit'
import { type BenchmarkSets, collectVersions, listScenarios, type SuiteCatalog } from '@stateeval/sets'
import { type EpisodeStore, openEpisodes } from './episodes/episodes.ts'
import { type LeaseStore, openLeases } from './episodes/leases.ts'
import { createEpisodeMetrics } from './episodes/metrics.ts'
import type { PartyAsker } from './episodes/needs.ts'
import type { EpisodeDocuments, StoredEpisode } from './episodes/stored.ts'
import { openBlocks, type StreamBlocks } from './streams/blocks.ts'
import { createStreamPlaces, type StreamPlaces } from './streams/places.ts'
import {
  createStreamFinder,
  type KnownStream,
  type StoredStream,
  type StreamParts,
} from './streams/stored.ts'

/** The parties by part; undefined if none is needed. Throws a problem that names the field. */
type PartyChooser = (
  request: EvaluationRequest,
  benchmark: Benchmark,
  options: EvaluationOptions,
) => Promise<StoredEpisode['parties']>

/** What handlers of episodes may use. */
export interface EpisodesContext
  extends
    OwnerSource,
    Pick<SuiteCatalog, 'benchmark' | 'scenarios' | 'loadScenario'>,
    Pick<StreamParts, 'streams'>,
    Pick<ServicePlatform, 'newId' | 'now' | 'bus'> {
  episodes: EpisodeStore
  sets: BenchmarkSets
  blocks: StreamBlocks
  /** A stream with its secret; throws a problem where there is none. */
  knownStream: (id: string) => Promise<KnownStream>
  chooseParties: PartyChooser
}
/** What handlers of streams may use. */
export interface StreamsContext extends StreamParts, Pick<ServicePlatform, 'newId' | 'now' | 'bus'> {
  catalog: SuiteCatalog
  sets: BenchmarkSets
  blocks: StreamBlocks
  knownStream: (id: string) => Promise<KnownStream>
  places: StreamPlaces
  artifactCache: ArtifactCache
}

interface EnvironmentDocuments extends EpisodeDocuments {
  /** Streams of tasks. */
  streams: RevisedDocuments<StoredStream>
  /** The digest of each block of a stream that was ever made, by its set. */
  blockDigests: FixedDocuments<string>
}
/** Episodes and streams, with what sweeps and backups need of them. */
export interface EvaluationEnvironment {
  documents: EnvironmentDocuments
  episodes: EpisodesContext
  streams: StreamsContext
  leases: LeaseStore
}

/** What environments need of the service. */
interface EnvironmentNeeds
  extends
    OwnerSource,
    Pick<EpisodeDocuments, 'endedOwners'>,
    Pick<EpisodesContext, 'sets' | 'chooseParties'> {
  store: DocumentStore
  catalog: SuiteCatalog
  artifactCache: ArtifactCache
  cache: PromiseCache
  threads: ThreadPool
  tidy: PendingCleanup
  askParty: PartyAsker
}

export function openEnvironment(platform: ServicePlatform, needs: EnvironmentNeeds): EvaluationEnvironment {
  const { store, catalog, endedOwners } = needs
  const { bus, newId, now } = platform
  const documents: EnvironmentDocuments = {
    endedOwners,
    streams: store.revised('streams'),
    blockDigests: store.fixed('stream-digests'),
    episodeHeads: store.fixed('episodes'),
    episodeReplies: store.fixed('episode-replies'),
    episodeTurns: store.fixed('episode-turns'),
    removedEpisodes: store.fixed('removed-episodes'),
  }
  const { streams } = documents
  const streamBox = createSecretBox(openInstallationKey(platform.mongo, 'stream-seeds'))
  const knownStream = createStreamFinder({ streams, streamBox })
  const leases = openLeases(platform)
  const parts = { ...platform, ...needs, ...catalog, ...documents, streamBox, knownStream, leases }
  const blocks = openBlocks(parts, async ({ stored }) =>
    collectVersions(await listScenarios(catalog, stored.options)),
  )
  const episodes = openEpisodes({ ...parts, blocks, episodeMetrics: createEpisodeMetrics(platform.metrics) })
  const { benchmark, scenarios, loadScenario } = catalog
  const { sets, owners, chooseParties, artifactCache } = needs
  const shared = { bus, newId, now, sets, streams, blocks, knownStream }
  return {
    documents,
    leases,
    episodes: { ...shared, benchmark, scenarios, loadScenario, owners, episodes, chooseParties },
    streams: {
      ...shared,
      streamBox,
      catalog,
      artifactCache,
      places: createStreamPlaces({ ...parts }),
    },
  }
}
