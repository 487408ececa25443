/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import {
  openAnswers,
  createAsker,
  createLedger,
  createModelClient,
  type StoredAnswer,
} from '@stateeval/models'
import {
  createThreads,
  openInsertedDocuments,
  separateByProject,
  createModelMeter,
  createModelMetrics,
  type ServicePlatform,
  pauseUnlessAborted,
  type ThreadPool,
} from '@stateeval/service-kit'
import type { TranslationConfig } from './config.ts'
import { openStore, type TranslationStore } from './store.ts'
import { type ProgramTranslator, createTranslators } from './translators/index.ts'

export interface TranslationContext extends Pick<
  ServicePlatform,
  'artifacts' | 'bus' | 'mongo' | 'newId' | 'now' | 'send'
> {
  config: TranslationConfig
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  translators: readonly ProgramTranslator[]
  store: TranslationStore
  /** Long texts are read there. */
  threads: ThreadPool
}
export function buildContext(
  platform: ServicePlatform,
  config: TranslationConfig,
  env: TranslationContext['env'] = process.env,
): TranslationContext {
  const modelClient = createModelClient({
    env,
    networks: config.networks,
    pause: pauseUnlessAborted,
    clock: () => performance.now(),
    now: () => platform.now().getTime(),
    random: Math.random,
    observe: createModelMetrics(platform.metrics, platform.telemetry),
  })
  const threads = createThreads(new URL('./thread.ts', import.meta.url))
  const answers = openAnswers(
    openInsertedDocuments(platform.mongo.shared<StoredAnswer>('answers')),
    platform.now,
    (hashes) => platform.artifacts.keep(hashes),
  )
  const meter = createModelMeter(platform.quota, () => 'request the translation again')
  const asker = separateByProject(() => createAsker({ modelClient, answers, ledger: createLedger(), meter }))
  return {
    ...platform,
    config,
    env,
    translators: createTranslators({ asker, prompts: config.translation.prompts, threads }),
    store: openStore(platform.mongo),
    threads,
  }
}
