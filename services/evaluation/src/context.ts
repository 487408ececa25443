/** The record that routes, jobs and the engine may use. Built here, in one place; tests override parts of it. */
import { benchmarks as makeBenchmarks } from '@stateeval/benchmarks'
import {
  type ComparisonResource,
  evaluationOperations,
  type LiveApi,
  type ModelSettings,
} from '@stateeval/contracts'
import {
  type Answers,
  answersIn,
  type Asker,
  createAsker,
  createLedger,
  createLiveClient,
  createModelClient,
  type Kept,
  type Ledger,
  type ModelClient,
  type Networks,
} from '@stateeval/models'
import type { Benchmark, Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import {
  type ArtifactCache,
  createArtifactCache,
  createMemory,
  createThreads,
  documentsIn,
  documentStoreIn,
  type FixedDocuments,
  type Handler,
  type Memory,
  pause,
  type Platform,
  type RevisedDocuments,
  type Threads,
} from '@stateeval/service-kit'
import type { AgentPrompts } from '@stateeval/translate'
import type { Engine } from '@stateeval/workflow'
import type { StoredModel } from './choices/models.ts'
import type { Config } from './config.ts'
import type { ItemNeed } from './flows/flow.ts'
import { buildPlan } from './owners/build-plan.ts'
import { evaluationPlan } from './owners/evaluation-plan.ts'
import type { Owner } from './owners/owner.ts'
import { type Owners, ownersIn } from './owners/owners.ts'
import type { BaselineCheck } from './owners/self-check.ts'
import { type Sets, setsIn } from './owners/sets.ts'
import type { ItemEnd } from './owners/stage.ts'
import type { StoredRecording } from './recordings/recordings.ts'
import type { StoredDecision } from './reviews/reviewable.ts'
import { writingPlan } from './owners/writing-plan.ts'
import { workflowsOf } from './workflow.ts'

export interface EvaluationContext extends Platform {
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  /** Where models may be besides public addresses. */
  networks: Networks
  scenarios: readonly Scenario[]
  scenario(id: string): Scenario
  /** Every kind of benchmark, in the order of their list. */
  benchmarks: readonly Benchmark[]
  benchmark(id: string): Benchmark
  /** What cases need besides themselves. */
  artifactCache: ArtifactCache
  /** Where long texts are read. */
  threads: Threads
  findBenchmark: (id: string) => Benchmark | null
  /** Items of one owner in flight at most. */
  window: number
  owners: Owners
  /** Owners that are not ended: what the sweep looks at. */
  active: RevisedDocuments<object>
  sets: Sets
  models: RevisedDocuments<StoredModel>
  /** Models that a file declares; these names are the file's. */
  fileModels: ReadonlyMap<string, ModelSettings>
  modelClient: ModelClient
  /** Live APIs that a file declares. */
  liveApis: ReadonlyMap<string, LiveApi>
  /** Texts that tasks are written with, by kind of benchmark and name. */
  prompts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Texts that agents negotiate with. */
  agentPrompts: AgentPrompts
  /** The texts that second opinions are asked with, by kind of benchmark. */
  opinionPrompts: Readonly<Record<string, string>>
  /** Answers of models, shared by all services of the namespace. */
  answers: Answers
  /** Marks of questions that were sent out, by step and attempt. */
  asks: FixedDocuments<true>
  /** What owners used, as far as this process knows. */
  ledger: Ledger
  /** Asks models, once. */
  asker: Asker
  /** Asks live APIs, once. */
  liveAsker: Asker
  recordings: FixedDocuments<StoredRecording>
  reviews: FixedDocuments<StoredDecision>
  /** How items ended. */
  results: FixedDocuments<ItemEnd>
  /** Stages whose items have all ended, by owner and stage: one replica goes on. */
  ends: FixedDocuments<true>
  baselineChecks: FixedDocuments<BaselineCheck>
  comparisons: RevisedDocuments<ComparisonResource>
  cache: Memory
  /** Leads the items of builds and evaluations. */
  engine: Engine<Owner, ItemNeed>
}
export type Route<Id extends keyof typeof evaluationOperations> = Handler<
  (typeof evaluationOperations)[Id],
  EvaluationContext
>

function needed<T>(one: T | undefined, what: string, id: string): T {
  if (one === undefined) throw new Error(`there is no ${what} ${id} in this version`)
  return one
}

export function buildContext(
  platform: Platform,
  config: Config,
  env: EvaluationContext['env'] = process.env,
): EvaluationContext {
  const store = documentStoreIn(platform.mongo)
  const scenario = (id: string) =>
    needed(
      scenarios.find((one) => one.id === id),
      'scenario',
      id,
    )
  const artifactCache = createArtifactCache(platform.artifacts)
  const benchmarks = makeBenchmarks.map((make) => make({ scenario, artifact: artifactCache.get }))
  const findBenchmark = (id: string) => benchmarks.find((one) => one.id === id)
  const reach = {
    env,
    networks: config.networks,
    pause,
    clock: () => performance.now(),
    now: () => platform.now().getTime(),
    random: Math.random,
  }
  const modelClient = createModelClient(reach)
  const asking = {
    answers: answersIn(documentsIn(platform.mongo.db.collection<Kept>('answers'))),
    asks: store.fixed<true>('asks'),
    ledger: createLedger(),
  }
  const stores = {
    active: store.revised<object>('active'),
    results: store.fixed<ItemEnd>('results'),
    ends: store.fixed<true>('ends'),
  }
  const cache = createMemory(1000)
  const context: EvaluationContext = {
    ...platform,
    env,
    networks: config.networks,
    scenarios,
    scenario,
    artifactCache,
    threads: createThreads(new URL('./threads/thread.ts', import.meta.url)),
    benchmarks,
    findBenchmark: (id) => findBenchmark(id) ?? null,
    benchmark: (id) => needed(findBenchmark(id), 'benchmark', id),
    window: config.window,
    models: store.revised('models'),
    fileModels: config.models,
    prompts: config.prompts,
    agentPrompts: config.agentPrompts,
    opinionPrompts: config.opinionPrompts,
    ...asking,
    ...stores,
    asker: createAsker({ ...asking, modelClient }),
    liveAsker: createAsker({
      ...asking,
      modelClient: { ask: createLiveClient({ ...reach, apis: config.liveApis }) },
    }),
    recordings: store.fixed('recordings'),
    reviews: store.fixed('reviews'),
    modelClient,
    liveApis: config.liveApis,
    baselineChecks: store.fixed('baseline-checks'),
    comparisons: store.revised('comparisons'),
    cache,
    sets: setsIn(store, { cache }),
    owners: ownersIn(store, {
      ...platform,
      ...asking,
      ...stores,
      engine: { forget: (id) => engine.forget(id) },
    }),
    // It looks at the finished record.
    get engine() {
      return engine
    },
  }
  const engine: Engine<Owner, ItemNeed> = workflowsOf(context, {
    build: buildPlan(context),
    dataset: writingPlan(context),
    evaluation: evaluationPlan(context),
  })
  return context
}
