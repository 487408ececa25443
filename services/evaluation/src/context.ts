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

type ContextSettings = Pick<
  EvaluationConfig,
  'window' | 'networks' | 'liveApis' | 'prompts' | 'agentPrompts' | 'opinionPrompts' | 'signIn'
>
export interface EvaluationContext
  extends
    JobsContext,
    Pick<
      ServicePlatform,
      'access' | 'artifacts' | 'audit' | 'bus' | 'log' | 'newId' | 'now' | 'quota' | 'send' | 'telemetry'
    >,
    ContextSettings,
    SuiteCatalog,
    EvaluationCollections,
    ModelAskers {
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  /** Models that a file declares; these names are the file's. */
  fileModels: EvaluationConfig['models']
  /** The documents of this service. */
  store: DocumentStore
  /** Artifacts of cases. */
  artifactCache: ArtifactCache
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
  sets: BenchmarkSets
  /** Removes tool sessions of ended evaluations, builds and episodes. */
  sessionTidy: SessionTidy
  webhooks: WebhooksContext
  administration: AdministrationContext
  environment: EvaluationEnvironment
  /** How many items workers have room for. */
  capacity: WorkerCapacity
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
  const catalog = createCatalog(artifactCache.get)
  const tidy = openPendingCleanup(platform.mongo, platform.now)
  const webhooks = buildWebhooksContext(platform, store, { env, webhookNetworks, webhookRetriesMs, tidy })
  const announcer = createAnnouncer({ ...webhooks, announced: openAnnounced(store) })
  const askers = createAskers(platform, collections, { env, networks, liveApis })
  const waits = createWaits(platform)
  observeInstallation(platform)
  const context: EvaluationContext = {
    ...platform,
    waits,
    capacity: createCapacity(platform),
    ...{ window, networks, liveApis, prompts, agentPrompts, opinionPrompts },
    ...catalog,
    ...collections,
    ...askers,
    signIn,
    tidy,
    webhooks,
    // They look at the finished record.
    get environment() {
      return environment
    },
    get administration() {
      return administration
    },
    env,
    fileModels,
    store,
    artifactCache,
    announcer,
    threads: createThreads(new URL('./threads/thread.ts', import.meta.url)),
    cache,
    searchThreads: createThreads(new URL('./samples/search-thread.ts', import.meta.url)),
    compareThreads: createThreads(new URL('./threads/compare.ts', import.meta.url), { maxThreads: 1 }),
    indexCache: createMemory(16),
    chunkCache: createMemory(64),
    sessionTidy: separateByProject(() =>
      createSessionTidy({ ...context, isStored: (id, step) => isTurnStored(documents, id, step) }),
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
    get engine() {
      return engine
    },
  }
  const plans = {
    build: buildPlan(context),
    dataset: createWritingPlan(context),
    evaluation: createEvaluationPlan(context),
  }
  const noteItem = createItemMetrics(platform.metrics)
  const engine: WorkflowEngine<JobOwner, ItemNeed> = separateByProject(() =>
    createWorkflows(context, plans, noteItem),
  )
  const environment = openEnvironment(platform, {
    store,
    catalog: {
      ...catalog,
      // Tests put stand-ins into the record.
      benchmark: (kind) => context.benchmark(kind),
      findBenchmark: (kind) => context.findBenchmark(kind),
    },
    endedOwners: collections.endedOwners,
    owners: context.owners,
    sets: context.sets,
    ...{ artifactCache, cache, tidy, threads: context.threads },
    askParty: createPartyAsker(askers),
    chooseParties: (...asked) => chooseParties(context, ...asked),
  })
  const { documents } = environment
  const administration: AdministrationContext = {
    ...platform,
    backups: openBackups({
      ...platform,
      store,
      answers: context.answers,
      collections: checkCollections({
        ...platform,
        ...collections,
        ...{ streams: documents.streams, streamBox: environment.streams.streamBox },
        webhooks: webhooks.webhooks,
        owners: context.owners,
        sets: context.sets,
        artifactCache,
        threads: context.threads,
        findBenchmark: (kind) => context.findBenchmark(kind),
      }),
    }),
    letters: {
      ...openLetterIds(platform.mongo),
      findSealedStream: (job) => findSealedStream(documents, job),
    },
    owners: context.owners,
    engine,
    waits,
  }
  return context
}
