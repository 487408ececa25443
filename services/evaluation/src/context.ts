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
  documentStoreIn,
  eachProjects,
  installationKey,
  type PromiseCache,
  type Platform,
  type SecretBox,
  secretBoxWith,
  type ThreadPool,
  type PendingCleanup,
  tidyIn,
} from '@stateeval/service-kit'
import type { WorkflowEngine } from '@stateeval/workflow'
import { LRUCache } from 'lru-cache'
import { type Askers, askersIn } from './asking/askers.ts'
import { type Catalog, catalogWith } from './catalog.ts'
import { type Collections, collectionsIn } from './collections.ts'
import type { Config } from './config.ts'
import { type Episodes, episodesIn } from './episodes/episodes.ts'
import { type Leases, leasesIn } from './episodes/leases.ts'
import { episodeMetrics, type EpisodeMetrics } from './episodes/metrics.ts'
import { type LetterIds, letterIdsIn } from './letter-ids.ts'
import { itemMetrics } from './metrics.ts'
import { buildPlan } from './owners/build-plan.ts'
import { evaluationPlan } from './owners/evaluation-plan.ts'
import { type Changes, changesIn } from './owners/changes.ts'
import type { Owner } from './owners/owner.ts'
import { type Owners, ownersIn } from './owners/owners.ts'
import { scenariosOf, versionsOf } from './owners/programs.ts'
import { type SessionTidy, sessionTidy } from './owners/sessions.ts'
import { type Sets, setsIn } from './owners/sets.ts'
import { writingPlan } from './owners/writing-plan.ts'
import { type Capacity, capacityIn } from './capacity.ts'
import { type Blocks, blocksIn } from './streams/blocks.ts'
import { type KnownStream, knownStreams } from './streams/stored.ts'
import { type Announcer, announcerIn } from './webhooks/announce.ts'
import { createPost, type Post } from './webhooks/post.ts'
import { observeInstallation } from './installation-metrics.ts'
import { type Waits, waitsIn } from './waits.ts'
import { workflowsOf } from './workflow.ts'

type Settings = Pick<
  Config,
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
export interface EvaluationContext extends Platform, Settings, Catalog, Collections, Askers {
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  /** Models that a file declares; these names are the file's. */
  fileModels: Config['models']
  /** The documents of this service. */
  store: DocumentStore
  /** Artifacts of cases. */
  artifactCache: ArtifactCache
  /** How dead letters are called. */
  letterIds: LetterIds
  /** Tells webhooks. */
  announcer: Announcer
  /** Seals their secrets. */
  secretBox: SecretBox
  /** Sends to their receivers. */
  post: Post
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
  owners: Owners
  /** Tells readers what happens to evaluations. */
  changes: Changes
  sets: Sets
  /** Removals, and artifacts that may be unused. */
  tidy: PendingCleanup
  /** Removes tool sessions of ended evaluations, builds and episodes. */
  sessionTidy: SessionTidy
  leases: Leases
  episodeMetrics: EpisodeMetrics
  /** Episodes that callers drive. */
  episodes: Episodes
  /** Seals the seeds of streams. */
  streamBox: SecretBox
  /** A stream with its secret; throws a problem where there is none. */
  knownStream: (id: string) => Promise<KnownStream>
  /** Blocks of streams. */
  blocks: Blocks
  /** See `BackupParts`. */
  backedUpArtifacts: LRUCache<string, Promise<ReadonlySet<string>>>
  /** Waits of running builds and evaluations. */
  waits: Waits
  /** How many items workers have room for. */
  capacity: Capacity
  /** Leads the items of builds and evaluations. */
  engine: WorkflowEngine<Owner, ItemNeed>
}

/** A backup that takes longer between two pages looks again which artifacts belong to it. */
const backupMs = 600_000

export function buildContext(
  platform: Platform,
  config: Config,
  env: EvaluationContext['env'] = process.env,
): EvaluationContext {
  const { window, networks, liveApis, prompts, agentPrompts, opinionPrompts, models: fileModels } = config
  const { webhookNetworks, webhookRetriesMs, signIn } = config
  const store = documentStoreIn(platform.mongo)
  const collections = collectionsIn(store)
  const artifactCache = createArtifactCache(platform.artifacts)
  const cache = createMemory(1000)
  const announcer = announcerIn({ ...platform, ...collections })
  const streamBox = secretBoxWith(installationKey(platform.mongo, 'stream-seeds'))
  const waits = waitsIn(platform)
  observeInstallation(platform)
  const context: EvaluationContext = {
    ...platform,
    waits,
    capacity: capacityIn(platform),
    ...{ window, networks, liveApis, prompts, agentPrompts, opinionPrompts },
    ...{ webhookNetworks, webhookRetriesMs, signIn },
    ...catalogWith(artifactCache.get),
    ...collections,
    ...askersIn(platform, collections, { env, networks, liveApis }),
    env,
    fileModels,
    store,
    artifactCache,
    letterIds: letterIdsIn(platform.mongo),
    announcer,
    secretBox: secretBoxWith(installationKey(platform.mongo, 'webhook-secrets')),
    streamBox,
    knownStream: knownStreams({ ...collections, streamBox }),
    post: createPost(webhookNetworks, env),
    threads: createThreads(new URL('./threads/thread.ts', import.meta.url)),
    cache,
    searchThreads: createThreads(new URL('./samples/search-thread.ts', import.meta.url)),
    compareThreads: createThreads(new URL('./threads/compare.ts', import.meta.url), { maxThreads: 1 }),
    indexCache: createMemory(16),
    chunkCache: createMemory(64),
    tidy: tidyIn(platform.mongo, platform.now),
    sessionTidy: eachProjects(sessionTidy),
    sets: setsIn(store, { cache, artifacts: platform.artifacts }),
    // They remember what they looked at by ids, which projects may share where they are made from contents.
    owners: eachProjects(() =>
      ownersIn(store, {
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
    changes: eachProjects(() => changesIn(context)),
    leases: leasesIn(platform),
    episodeMetrics: episodeMetrics(platform.metrics),
    backedUpArtifacts: new LRUCache({ max: 16, ttl: backupMs }),
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
  const blocks = blocksIn(context, ({ stored }) => versionsOf(scenariosOf(context, stored.options)))
  const episodes = episodesIn(context)
  const plans = {
    build: buildPlan(context),
    dataset: writingPlan(context),
    evaluation: evaluationPlan(context),
  }
  const noteItem = itemMetrics(platform.metrics)
  const engine: WorkflowEngine<Owner, ItemNeed> = eachProjects(() => workflowsOf(context, plans, noteItem))
  return context
}
