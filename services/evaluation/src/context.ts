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
  type JoinedParts,
  joinParts,
  openDocumentStore,
  separateByProject,
  type PromiseCache,
  type ServicePlatform,
  type ThreadPool,
  openPendingCleanup,
} from '@stateeval/service-kit'
import type { WorkflowEngine } from '@stateeval/workflow'
import { type ModelAskers, createAskers } from './asking/askers.ts'
import { createCatalog } from './catalog.ts'
import { type SuiteCatalog, type BenchmarkSets, openSets } from '@stateeval/sets'
import { createPartyAsker } from './asking/ask-party.ts'
import { chooseParties } from './choices/parties.ts'
import {
  type EvaluationEnvironment,
  findSealedStream,
  isTurnStored,
  openEnvironment,
} from '@stateeval/environment'
import { type EvaluationCollections, openCollections } from './collections.ts'
import type { EvaluationConfig } from './config.ts'
import {
  type AdministrationContext,
  openLetterIds,
  openBackups,
  observeInstallation,
} from '@stateeval/administration'
import { checkCollections } from './projects/documents/collections.ts'
import {
  createItemMetrics,
  type JobsContext,
  openChanges,
  type JobOwner,
  openOwners,
  type SessionTidy,
  createSessionTidy,
  type WorkerCapacity,
  createCapacity,
  createWaits,
  createWorkflows,
} from '@stateeval/jobs'
import { buildPlan } from './owners/build-plan.ts'
import { createEvaluationPlan } from './owners/evaluation-plan.ts'
import { createWritingPlan } from './owners/writing-plan.ts'
import {
  buildWebhooksContext,
  createAnnouncer,
  openAnnounced,
  type WebhooksContext,
} from '@stateeval/webhooks'

interface ContextSettings extends Pick<
  EvaluationConfig,
  'window' | 'networks' | 'liveApis' | 'prompts' | 'agentPrompts' | 'opinionPrompts' | 'signIn'
> {
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  /** Models that a file declares; these names are the file's. */
  fileModels: EvaluationConfig['models']
}

interface EvaluationStorage {
  /** The documents of this service. */
  store: DocumentStore
  sets: BenchmarkSets
  /** Artifacts of cases. */
  artifactCache: ArtifactCache
  cache: PromiseCache
  /** Index of samples, kept for evaluations open in a browser. */
  indexCache: PromiseCache
  chunkCache: PromiseCache
}

interface EvaluationThreads {
  /** Threads that read long texts. */
  threads: ThreadPool
  /** Threads that search samples' texts. */
  searchThreads: ThreadPool
  /** Threads that compare reports, one comparison after the other. */
  compareThreads: ThreadPool
}

interface EvaluationJobs extends JobsContext {
  /** How many items workers have room for. */
  capacity: WorkerCapacity
}

export interface EvaluationContext {
  platform: Pick<
    ServicePlatform,
    | 'access'
    | 'artifacts'
    | 'audit'
    | 'bus'
    | 'log'
    | 'mongo'
    | 'newId'
    | 'now'
    | 'quota'
    | 'send'
    | 'telemetry'
  >
  settings: ContextSettings
  catalog: SuiteCatalog
  collections: EvaluationCollections
  storage: EvaluationStorage
  threads: EvaluationThreads
  asking: ModelAskers
  jobs: EvaluationJobs
  /** Removes tool sessions of ended evaluations, builds and episodes. */
  sessionTidy: SessionTidy
  webhooks: WebhooksContext
  administration: AdministrationContext
  environment: EvaluationEnvironment
}

type PartName =
  | 'platform'
  | 'settings'
  | 'catalog'
  | 'collections'
  | 'storage'
  | 'threads'
  | 'asking'
  | 'jobs'

/** Makes a function that takes these parts from the context, joined into one record. */
export const takeParts =
  <Name extends PartName>(...names: Name[]) =>
  (context: EvaluationContext): JoinedParts<EvaluationContext[Name]> =>
    joinParts(context, names)

/** Takes all parts: for sweeps and plans, which look at everything that is stored. */
export const takeAllParts = takeParts(
  ...(['platform', 'settings', 'catalog', 'collections', 'storage', 'threads', 'asking', 'jobs'] as const),
)
export type EvaluationParts = ReturnType<typeof takeAllParts>

export function buildContext(
  platform: ServicePlatform,
  config: EvaluationConfig,
  env: ContextSettings['env'] = process.env,
): EvaluationContext {
  const { window, networks, liveApis, prompts, agentPrompts, opinionPrompts, models: fileModels } = config
  const { webhookNetworks, webhookRetriesMs, signIn } = config
  const store = openDocumentStore(platform.mongo)
  const collections = openCollections(store)
  const artifactCache = createArtifactCache(platform.artifacts)
  const cache = createMemory(1000)
  const catalog = createCatalog(artifactCache.get, async (hash) => {
    const isStored = (await platform.artifacts.get(hash)) !== null
    return isStored ? (await artifactCache.load([hash])).get(hash)! : null
  })
  const tidy = openPendingCleanup(platform.mongo, platform.now)
  const webhooks = buildWebhooksContext(platform, store, { env, webhookNetworks, webhookRetriesMs, tidy })
  const announcer = createAnnouncer({ ...webhooks, announced: openAnnounced(store) })
  const waits = createWaits(platform)
  observeInstallation(platform)
  const jobs: EvaluationJobs = {
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
    active: collections.active,
    get engine() {
      return engine
    },
    waits,
    changes: separateByProject(() => openChanges(parts)),
    announcer,
    mongo: platform.mongo,
    tidy,
    capacity: createCapacity(platform),
  }
  const context: EvaluationContext = {
    platform: { ...platform },
    settings: { window, networks, liveApis, prompts, agentPrompts, opinionPrompts, signIn, env, fileModels },
    catalog,
    collections,
    storage: {
      store,
      sets: openSets(store, { cache, artifacts: platform.artifacts }),
      artifactCache,
      cache,
      indexCache: createMemory(16),
      chunkCache: createMemory(64),
    },
    threads: {
      threads: createThreads(new URL('./threads/thread.ts', import.meta.url)),
      searchThreads: createThreads(new URL('./samples/search-thread.ts', import.meta.url)),
      compareThreads: createThreads(new URL('./threads/compare.ts', import.meta.url), { maxThreads: 1 }),
    },
    asking: createAskers(platform, collections, { env, networks, liveApis }),
    jobs,
    sessionTidy: separateByProject(() =>
      createSessionTidy({ ...parts, isStored: (id, step) => isTurnStored(documents, id, step) }),
    ),
    webhooks,
    // They look at the finished record.
    get environment() {
      return environment
    },
    get administration() {
      return administration
    },
  }
  const parts = takeAllParts(context)
  const plans = {
    build: buildPlan(parts),
    dataset: createWritingPlan(parts),
    evaluation: createEvaluationPlan(parts),
  }
  const noteItem = createItemMetrics(platform.metrics)
  const engine: WorkflowEngine<JobOwner, ItemNeed> = separateByProject(() =>
    createWorkflows(parts, plans, noteItem),
  )
  const { sets } = context.storage
  // Tests put stand-ins into the parts.
  const findBenchmark: SuiteCatalog['findBenchmark'] = (kind) => parts.findBenchmark(kind)
  const environment = openEnvironment(platform, {
    store,
    catalog: { ...catalog, benchmark: (kind) => parts.benchmark(kind), findBenchmark },
    endedOwners: collections.endedOwners,
    owners: parts.owners,
    ...{ sets, artifactCache, cache, tidy, threads: parts.threads },
    askParty: createPartyAsker(context.asking),
    chooseParties: (...asked) => chooseParties(parts, ...asked),
  })
  const { documents } = environment
  const administration: AdministrationContext = {
    ...platform,
    backups: openBackups({
      ...platform,
      store,
      answers: parts.answers,
      collections: checkCollections({
        ...platform,
        ...collections,
        ...{ streams: documents.streams, streamBox: environment.streams.streamBox },
        webhooks: webhooks.webhooks,
        owners: parts.owners,
        ...{ sets, artifactCache, threads: parts.threads, findBenchmark },
      }),
    }),
    letters: {
      ...openLetterIds(platform.mongo),
      findSealedStream: (job) => findSealedStream(documents, job),
    },
    owners: parts.owners,
    engine,
    waits,
  }
  return context
}
