/**
 * The dependencies of the service. Each part names the few that it uses, and tests override some of them.
 */
import type { ItemNeed } from '@stateeval/flows'
import {
  type ArtifactCache,
  createArtifactCache,
  createMemory,
  createThreads,
  type DocumentStore,
  openDocumentStore,
  separateByProject,
  openInstallationKey,
  type PromiseCache,
  type ServicePlatform,
  type SecretBox,
  createSecretBox,
  type ThreadPool,
  type PendingCleanup,
  openPendingCleanup,
} from '@stateeval/service-kit'
import type { WorkflowEngine } from '@stateeval/workflow'
import { type ModelAskers, createAskers } from './asking/askers.ts'
import { createCatalog } from './catalog.ts'
import {
  type SuiteCatalog,
  listScenarios,
  collectVersions,
  type BenchmarkSets,
  openSets,
} from '@stateeval/sets'
import { createPartyAsker } from './asking/ask-party.ts'
import { chooseParties } from './choices/parties.ts'
import {
  type PartyAsker,
  type PartyChooser,
  type EpisodeStore,
  openEpisodes,
  type LeaseStore,
  openLeases,
  isTurnStored,
  createEpisodeMetrics,
  type EpisodeMetrics,
  type StreamBlocks,
  openBlocks,
  type KnownStream,
  createStreamFinder,
  findSealedStream,
} from '@stateeval/environment'
import { type EvaluationCollections, openCollections } from './collections.ts'
import type { EvaluationConfig } from './config.ts'
import {
  type LetterNames,
  openLetterIds,
  type ProjectBackups,
  openBackups,
  observeInstallation,
} from '@stateeval/administration'
import { checkCollections } from './projects/documents/collections.ts'
import {
  createItemMetrics,
  type ChangeFeed,
  openChanges,
  type JobOwner,
  type ChangeAnnouncer,
  type OwnerStore,
  openOwners,
  type SessionTidy,
  createSessionTidy,
  type WorkerCapacity,
  createCapacity,
  type WaitWatch,
  createWaits,
  createWorkflows,
} from '@stateeval/jobs'
import { buildPlan } from './owners/build-plan.ts'
import { createEvaluationPlan } from './owners/evaluation-plan.ts'
import { createWritingPlan } from './owners/writing-plan.ts'
import { createAnnouncer, createPost, type PostFunction } from '@stateeval/webhooks'

type ContextSettings = Pick<
  EvaluationConfig,
  | 'window'
  | 'networks'
  | 'liveApis'
  | 'prompts'
  | 'agentPrompts'
  | 'opinionPrompts'
  | 'webhookNetworks'
  | 'webhookRetriesMs'
  | 'signIn'
>
export interface EvaluationContext
  extends ServicePlatform, ContextSettings, SuiteCatalog, EvaluationCollections, ModelAskers {
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  /** Models that a file declares; these names are the file's. */
  fileModels: EvaluationConfig['models']
  /** The documents of this service. */
  store: DocumentStore
  /** Artifacts of cases. */
  artifactCache: ArtifactCache
  /** How dead letters are called. */
  letters: LetterNames
  /** Tells webhooks. */
  announcer: ChangeAnnouncer
  /** Seals their secrets. */
  secretBox: SecretBox
  /** Sends to their receivers. */
  post: PostFunction
  /** Threads that read long texts. */
  threads: ThreadPool
  cache: PromiseCache
  /** Threads that search samples' texts. */
  searchThreads: ThreadPool
  /** Threads that compare reports, one comparison after the other. */
  compareThreads: ThreadPool
  /** Index of samples, kept for evaluations open in a browser. */
  indexCache: PromiseCache
  chunkCache: PromiseCache
  owners: OwnerStore
  /** Tells readers what happens to evaluations. */
  changes: ChangeFeed
  sets: BenchmarkSets
  /** Removals, and artifacts that may be unused. */
  tidy: PendingCleanup
  /** Removes tool sessions of ended evaluations, builds and episodes. */
  sessionTidy: SessionTidy
  leases: LeaseStore
  episodeMetrics: EpisodeMetrics
  askParty: PartyAsker
  chooseParties: PartyChooser
  /** Episodes that callers drive. */
  episodes: EpisodeStore
  /** Seals the seeds of streams. */
  streamBox: SecretBox
  /** A stream with its secret; throws a problem where there is none. */
  knownStream: (id: string) => Promise<KnownStream>
  /** Blocks of streams. */
  blocks: StreamBlocks
  backups: ProjectBackups
  /** Waits of running builds and evaluations. */
  waits: WaitWatch
  /** How many items workers have room for. */
  capacity: WorkerCapacity
  /** Leads the items of builds and evaluations. */
  engine: WorkflowEngine<JobOwner, ItemNeed>
}

export function buildContext(
  platform: ServicePlatform,
  config: EvaluationConfig,
  env: EvaluationContext['env'] = process.env,
): EvaluationContext {
  const { window, networks, liveApis, prompts, agentPrompts, opinionPrompts, models: fileModels } = config
  const { webhookNetworks, webhookRetriesMs, signIn } = config
  const store = openDocumentStore(platform.mongo)
  const collections = openCollections(store)
  const artifactCache = createArtifactCache(platform.artifacts)
  const cache = createMemory(1000)
  const announcer = createAnnouncer({ ...platform, ...collections })
  const streamBox = createSecretBox(openInstallationKey(platform.mongo, 'stream-seeds'))
  const askers = createAskers(platform, collections, { env, networks, liveApis })
  const waits = createWaits(platform)
  observeInstallation(platform)
  const context: EvaluationContext = {
    ...platform,
    waits,
    capacity: createCapacity(platform),
    ...{ window, networks, liveApis, prompts, agentPrompts, opinionPrompts },
    ...{ webhookNetworks, webhookRetriesMs, signIn },
    ...createCatalog(artifactCache.get),
    ...collections,
    ...askers,
    askParty: createPartyAsker(askers),
    chooseParties: (...asked) => chooseParties(context, ...asked),
    env,
    fileModels,
    store,
    artifactCache,
    letters: {
      ...openLetterIds(platform.mongo),
      findSealedStream: (job) => findSealedStream(collections, job),
    },
    announcer,
    secretBox: createSecretBox(openInstallationKey(platform.mongo, 'webhook-secrets')),
    streamBox,
    knownStream: createStreamFinder({ ...collections, streamBox }),
    post: createPost(webhookNetworks, env),
    threads: createThreads(new URL('./threads/thread.ts', import.meta.url)),
    cache,
    searchThreads: createThreads(new URL('./samples/search-thread.ts', import.meta.url)),
    compareThreads: createThreads(new URL('./threads/compare.ts', import.meta.url), { maxThreads: 1 }),
    indexCache: createMemory(16),
    chunkCache: createMemory(64),
    tidy: openPendingCleanup(platform.mongo, platform.now),
    sessionTidy: separateByProject(() =>
      createSessionTidy({ ...context, isStored: (id, step) => isTurnStored(context, id, step) }),
    ),
    sets: openSets(store, { cache, artifacts: platform.artifacts }),
    // They remember what they looked at by ids, which projects may share where they are made from contents.
    owners: separateByProject(() =>
      openOwners(store, {
        ...platform,
        ...collections,
        announcer,
        engine: {
          forget(id) {
            engine.forget(id)
            waits.forget(id)
          },
        },
      }),
    ),
    changes: separateByProject(() => openChanges(context)),
    leases: openLeases(platform),
    episodeMetrics: createEpisodeMetrics(platform.metrics),
    get backups() {
      return backups
    },
    // They look at the finished record.
    get blocks() {
      return blocks
    },
    get episodes() {
      return episodes
    },
    get engine() {
      return engine
    },
  }
  const blocks = openBlocks(context, ({ stored }) => collectVersions(listScenarios(context, stored.options)))
  const episodes = openEpisodes(context)
  const backups = openBackups({
    ...platform,
    store,
    answers: context.answers,
    collections: checkCollections(context),
  })
  const plans = {
    build: buildPlan(context),
    dataset: createWritingPlan(context),
    evaluation: createEvaluationPlan(context),
  }
  const noteItem = createItemMetrics(platform.metrics)
  const engine: WorkflowEngine<JobOwner, ItemNeed> = separateByProject(() =>
    createWorkflows(context, plans, noteItem),
  )
  return context
}
