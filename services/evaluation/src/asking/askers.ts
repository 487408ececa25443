/** The clients of models and live APIs, and the store of their answers. */
import type { LiveApi } from '@stateeval/contracts'
import {
  type AnswerStore,
  openAnswers,
  type QuestionAsker,
  createAsker,
  createLedger,
  createLiveClient,
  createModelClient,
  type StoredAnswer,
  type SpendingLedger,
  type ModelClient,
  type NetworkRules,
  probeModel,
} from '@stateeval/models'
import {
  openInsertedDocuments,
  separateByProject,
  type FixedDocuments,
  createModelMeter,
  createModelMetrics,
  pauseUnlessAborted,
  type ServicePlatform,
} from '@stateeval/service-kit'
import { describeContinuation } from '@stateeval/jobs'
import { type ProbeParts, findProbe, type ProbeStore } from './probes.ts'

export interface ModelAskers {
  /** Answers of models, shared by all services of the namespace; each project has its own. */
  answers: AnswerStore
  /** Usage of owners, as far as this process knows. */
  ledger: SpendingLedger
  modelClient: ModelClient
  /** Asks models, once. */
  asker: QuestionAsker
  /** Asks live APIs, once. */
  liveAsker: QuestionAsker
  /** Asks a model the questions of a probe. */
  probe: ProbeParts['probe']
}

/** Networks and keys with which models may be asked. */
interface AskerReach {
  /** The environment, for keys at call time only. */
  env: Readonly<Record<string, string | undefined>>
  /** Networks of models besides public addresses. */
  networks: NetworkRules
  /** Live APIs that a file declares. */
  liveApis: ReadonlyMap<string, LiveApi>
}

export function createAskers(
  {
    mongo,
    artifacts,
    now,
    metrics,
    telemetry,
    quota,
  }: Pick<ServicePlatform, 'mongo' | 'artifacts' | 'now' | 'metrics' | 'telemetry' | 'quota'>,
  { asks, probes }: ProbeStore & { asks: FixedDocuments<true> },
  { liveApis, ...reach }: AskerReach,
): ModelAskers {
  const connection = {
    ...reach,
    pause: pauseUnlessAborted,
    clock: () => performance.now(),
    now: () => now().getTime(),
    random: Math.random,
  }
  const modelClient = createModelClient({
    ...connection,
    observe: createModelMetrics(metrics, telemetry),
    findings: async (settings) => (await findProbe({ probes }, settings))?.findings ?? null,
  })
  const liveClient = createLiveClient({ ...connection, apis: liveApis })
  const answers = openAnswers(openInsertedDocuments(mongo.shared<StoredAnswer>('answers')), now, (hashes) =>
    artifacts.keep(hashes),
  )
  const meter = createModelMeter(quota, describeContinuation)
  const ledger = separateByProject(() => createLedger())
  return {
    answers,
    ledger,
    modelClient,
    // They wait for the same question that is under way, of the same project only.
    asker: separateByProject(() => createAsker({ answers, asks, ledger, meter, modelClient })),
    probe: (account, model, signal) => probeModel({ modelClient, meter }, account, model, signal),
    liveAsker: separateByProject(() =>
      createAsker({ answers, asks, ledger, modelClient: { ask: liveClient } }),
    ),
  }
}
