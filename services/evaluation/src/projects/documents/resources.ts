/** Models, recordings, webhooks, streams, comparisons, reviews and answers from outside. */
import {
  AgentOptions,
  ComparisonResource,
  CreateWebhook,
  ModelName,
  ModelSettings,
  ModelToolCall,
  VendorMembers,
  defineRecord,
  ReviewDecision,
  Seed,
  Sha256,
  computeStreamCommitment,
  StreamOptions,
  StreamPurpose,
  Usage,
} from '@stateeval/contracts'
import { findUrlFormFault, type KeptAnswer } from '@stateeval/models'
import type { RevisedDocuments, SecretBox } from '@stateeval/service-kit'
import Type from 'typebox'
import { isBuiltInModel, type StoredModel } from '../../choices/models.ts'
import type { OwnerStore } from '@stateeval/jobs'
import { findSeedsFault, isSeeds } from '../../recordings/lines.ts'
import { isRecording, type StoredRecording } from '../../recordings/recordings.ts'
import type { StoredDecision } from '../../reviews/reviewable.ts'
import type { StreamSecret, StoredStream } from '@stateeval/environment'
import { maxWebhooks, type StoredWebhook } from '@stateeval/webhooks'
import {
  closedObject,
  Count,
  throwDocumentFault,
  formOf,
  Moment,
  requireForm,
  StrayDocument,
} from '@stateeval/administration'
import { silence } from './outcomes.ts'
import { NamedModel } from './owners.ts'

export interface ResourceChecks {
  owners: Pick<OwnerStore, 'benchmark'>
  webhooks: Pick<RevisedDocuments<StoredWebhook>, 'page'>
  streams: Pick<RevisedDocuments<StoredStream>, 'get'>
  streamBox: SecretBox
  findBenchmark: (kind: string) => object | null
}

/** The id has the form; a fault names what else it must be. */
function requireId(pattern: RegExp, id: string, what: string): void {
  if (!pattern.test(id)) throwDocumentFault('', `must have the id of ${what}`)
}

const ModelForm = formOf<StoredModel>()(
  Type.Object({ settings: ModelSettings, updatedAt: Moment }, closedObject),
)
function checkAddress({ baseUrl }: ModelSettings, field: string): void {
  const wrong = findUrlFormFault(baseUrl)
  if (wrong !== null) throwDocumentFault(`${field}/baseUrl`, wrong)
}
export async function checkModel(_: object, id: string, value: unknown): Promise<StoredModel> {
  const model = requireForm(ModelForm, value)
  requireForm(ModelName, id)
  if (isBuiltInModel(id)) throwDocumentFault('', 'has the name of a built-in model')
  checkAddress(model.settings, '/settings')
  return model
}

const RecordingForm = formOf<StoredRecording>()(
  Type.Object(
    {
      importedAt: Type.Optional(Moment),
      name: ModelName,
      settings: ModelSettings,
      answers: Count,
      opinion: Type.Optional(NamedModel),
      parties: Type.Optional(defineRecord(NamedModel, { maxProperties: 64 })),
      agents: Type.Optional(
        Type.Object(
          { generator: NamedModel, evaluator: NamedModel, coder: NamedModel, options: AgentOptions },
          closedObject,
        ),
      ),
    },
    closedObject,
  ),
)
export async function checkRecording(_: object, id: string, value: unknown): Promise<StoredRecording> {
  const recording = requireForm(RecordingForm, value)
  requireId(/^rec_[0-9a-f]{64}$/, id, 'a recording')
  checkAddress(recording.settings, '/settings')
  return recording
}

const AnswerForm = formOf<KeptAnswer>()(
  Type.Object(
    {
      text: Type.String(),
      toolCalls: Type.Optional(Type.Array(ModelToolCall)),
      vendor: Type.Optional(VendorMembers),
      finish: Type.String(),
      // Answers to probes are not kept.
      facts: Type.Optional(Type.Never()),
      reply: Type.Optional(
        Type.Object(
          {
            reader: Count,
            form: Type.Enum(['chat', 'completions'] as const),
            body: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
          },
          closedObject,
        ),
      ),
      usage: Usage,
      ms: Type.Optional(Count),
      key: Sha256,
      by: Type.String({ maxLength: 200 }),
      step: Type.Optional(Type.String({ maxLength: 500 })),
      retries: Count,
      repeated: Type.Optional(Count),
      unanswered: Type.Optional(Type.Object(silence, closedObject)),
    },
    closedObject,
  ),
)
export async function checkAnswer(_: object, id: string, value: unknown): Promise<KeptAnswer> {
  const answer = requireForm(AnswerForm, value)
  const [place = '', key = place] = id.split('/')
  if (key.split('~')[0] !== answer.key) throwDocumentFault('/key', 'must be the hash in the document’s id')
  if (key !== place && !isRecording(place)) throwDocumentFault('', 'must have the id of an answer')
  const wrong = isSeeds(answer) ? findSeedsFault(answer.text) : null
  if (wrong) throwDocumentFault(`/text${wrong.field}`, wrong.says)
  return answer
}

const { url, events, description } = CreateWebhook.properties
const WebhookForm = formOf<StoredWebhook>()(
  Type.Object(
    {
      url,
      events,
      description,
      status: Type.Enum(['active', 'paused'] as const),
      pausedBecause: Type.Optional(Type.String()),
      secrets: Type.Array(
        Type.Object(
          {
            sealed: Type.String({ pattern: '^[A-Za-z0-9+/]{1,1000}={0,2}$' }),
            createdAt: Moment,
            validUntil: Type.Optional(Moment),
          },
          closedObject,
        ),
        { maxItems: 2 },
      ),
      createdAt: Moment,
      updatedAt: Moment,
    },
    closedObject,
  ),
)
export async function checkWebhook(
  { webhooks }: ResourceChecks,
  id: string,
  value: unknown,
): Promise<StoredWebhook> {
  const webhook = requireForm(WebhookForm, value)
  requireId(/^wh_[0-9a-z]{1,64}$/, id, 'a webhook')
  const there = await webhooks.page(undefined, maxWebhooks)
  if (there.length === maxWebhooks && !there.some((one) => one.id === id))
    throwDocumentFault('', `is too many: a project has at most ${maxWebhooks} webhooks`)
  return webhook
}

const SecretForm = formOf<StreamSecret>()(
  Type.Object({ seed: Seed, salt: Type.String({ pattern: '^[0-9a-f]{32}$' }) }, closedObject),
)
const StreamForm = formOf<StoredStream>()(
  Type.Object(
    {
      purpose: StreamPurpose,
      kind: Type.String(),
      options: StreamOptions,
      versions: defineRecord(Type.String({ maxLength: 200 }), { maxProperties: 100 }),
      commitment: Sha256,
      sealed: Type.String({ pattern: '^[A-Za-z0-9+/]{1,2000}={0,2}$' }),
      opened: Type.Optional(SecretForm),
      createdAt: Moment,
      revealedAt: Type.Optional(Moment),
    },
    closedObject,
  ),
)
/** Its seed, open or sealed here, must be the one that was committed to, with these very options. */
export async function checkStream(
  { streamBox, findBenchmark }: ResourceChecks,
  id: string,
  value: unknown,
): Promise<StoredStream> {
  const stream = requireForm(StreamForm, value)
  const { purpose, opened, revealedAt, kind, options, versions, commitment } = stream
  requireId(/^str_[0-9a-z]{1,64}$/, id, 'a stream')
  if (!findBenchmark(kind)) throwDocumentFault('/kind', 'is no kind of benchmark of this version')
  if (options.length.min > options.length.max)
    throwDocumentFault('/options/length/min', 'must be at most length.max')
  const isOpen = purpose === 'training' || revealedAt !== undefined
  if (isOpen !== (opened !== undefined))
    throwDocumentFault('/opened', 'must be there for a training stream and a revealed one, and only then')
  const sealedText = await streamBox.open(stream.sealed, id)
  for (const secret of [opened, sealedText === null ? undefined : (JSON.parse(sealedText) as StreamSecret)])
    if (secret && computeStreamCommitment({ kind, options, versions, ...secret }) !== commitment)
      throwDocumentFault('/commitment', 'is not the hash of its kind, options, salt, seed and versions')
  return stream
}

export async function checkBlockDigest(
  { streams }: ResourceChecks,
  id: string,
  value: unknown,
): Promise<string> {
  requireId(/^str_[0-9a-z]{1,64}\/b\d{8}$/, id, 'a block of a stream')
  const digest = requireForm(Sha256, value)
  if (!(await streams.get(id.slice(0, id.indexOf('/'))))) throw new StrayDocument()
  return digest
}

export async function checkComparison(_: object, id: string, value: unknown): Promise<ComparisonResource> {
  const comparison = requireForm(ComparisonResource, value)
  requireId(/^cmp_[0-9a-f]{24}$/, id, 'a comparison')
  if (comparison.id !== id) throwDocumentFault('/id', `must be ${id}, the document’s id`)
  return comparison
}

const DecisionForm = formOf<StoredDecision>()(
  Type.Object({ ...ReviewDecision.properties, at: Moment }, closedObject),
)
export async function checkDecision(
  { owners }: ResourceChecks,
  id: string,
  value: unknown,
): Promise<StoredDecision> {
  const decision = requireForm(DecisionForm, value)
  requireId(/^bm_[0-9a-z]{1,64}\/[^/#]{1,300}#\d{4}$/, id, 'a decision about a case')
  const owner = await owners.benchmark(id.slice(0, id.indexOf('/')))
  if (owner?.origin !== 'build' && owner?.origin !== 'dataset') throw new StrayDocument()
  return decision
}
