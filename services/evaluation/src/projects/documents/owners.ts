/**
 * The stored form of builds and evaluations, and what a document from outside must agree with: itself, its
 * set, and the artifacts that it names.
 */
import {
  AnswerEnding,
  BaselineCheck,
  UsageBudget,
  BuildOptions,
  changes,
  EvaluationOptions,
  EvaluationProbe,
  EvaluationTag,
  JobStatus,
  Manifest,
  maxTags,
  ModelSettings,
  defineRecord,
  RequestedProvider,
  Sha256,
  Usage,
  WritingOptions,
} from '@stateeval/contracts'
import { computeManifestDigest } from '@stateeval/program'
import Type from 'typebox'
import {
  readCheckStage,
  type BenchmarkOwner,
  type EvaluationOwner,
  isEnded,
  keptChanges,
  modelProbeStage,
  opinionStage,
  type JobOwner,
  type OwnerStore,
} from '@stateeval/jobs'
import { type ArtifactChecks, checkArtifact } from './artifacts.ts'
import {
  closedObject,
  Count,
  throwDocumentFault,
  formOf,
  Moment,
  requireForm,
  defineRange,
} from '@stateeval/administration'

/** Cases of a set, samples of an evaluation, and programs of a build, at most. */
const [maxCases, maxItems] = [1_000_000, 10_000_000]
/** Partitions of a stage: as many as `STATEEVAL_WINDOW` or an endpoint's concurrency may bring about. */
const maxPartitions = 4096

const BenchmarkId = Type.String({ pattern: '^bm_[0-9a-z]{1,64}$' })
const EvaluationId = Type.String({ pattern: '^ev_[0-9a-z]{1,64}$' })
const RecordingId = Type.String({ pattern: '^rec_[0-9a-f]{64}$' })
const Name = Type.String({ minLength: 1, maxLength: 200 })

const namedModel = { name: Name, settings: ModelSettings }
export const NamedModel = Type.Object(namedModel, closedObject)
const sources = { fresh: Type.Optional(Type.Boolean()), recording: Type.Optional(RecordingId) }
const Endpoint = Type.Object(
  {
    kind: Type.Literal('endpoint'),
    ...namedModel,
    ...sources,
    responses: Type.Optional(Type.Array(Type.Union([EvaluationId, RecordingId]), { maxItems: 64 })),
  },
  closedObject,
)
const ModelChoice = Type.Union([
  Endpoint,
  Type.Object({ kind: Type.Union([Type.Literal('reference'), Type.Literal('mutant')]) }, closedObject),
  Type.Object(
    {
      kind: Type.Literal('given'),
      label: Type.String({ minLength: 1, maxLength: 100 }),
      answers: Sha256,
      missing: Type.Optional(Count),
      partial: Type.Optional(Type.Literal(true)),
    },
    closedObject,
  ),
])

const Stage = Type.Object(
  {
    total: Type.Integer({ minimum: 0, maximum: maxItems }),
    partitions: Type.Integer({ minimum: 1, maximum: maxPartitions }),
    atOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPartitions })),
  },
  closedObject,
)
const common = {
  id: Type.String(),
  status: JobStatus,
  stage: Type.String({ maxLength: 40 }),
  stages: defineRecord(Stage, {
    names: Type.String({ pattern: '^[a-z]{1,20}(-[0-9]{1,4})?$' }),
    maxProperties: 200,
  }),
  createdAt: Moment,
  finishedAt: Type.Optional(Moment),
  error: Type.Optional(Type.String()),
  changes: Type.Optional(
    Type.Array(Type.Object({ what: Type.Enum(changes), n: Count, at: Moment }, closedObject), {
      maxItems: keptChanges,
    }),
  ),
  provider: Type.Optional(RequestedProvider),
  trace: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{1,100}$' })),
}

const ofSet = {
  ...common,
  entity: Type.Literal('benchmark'),
  kind: Type.String(),
  manifest: Type.Optional(Manifest),
}
const asks = { budget: Type.Optional(UsageBudget), usage: Type.Optional(Usage) }
const Writing = Type.Object(
  { options: WritingOptions, specification: Sha256, bundle: Sha256, prompts: Type.String(), model: Endpoint },
  closedObject,
)
const GeneratedSet = Type.Object(
  { scenario: Name, first: defineRange(0, maxItems), count: defineRange(0, maxItems) },
  closedObject,
)
const Agents = Type.Object(
  {
    generator: NamedModel,
    evaluator: NamedModel,
    coder: NamedModel,
    rounds: defineRange(1, 10),
    tries: defineRange(1, 20),
    ...sources,
  },
  closedObject,
)
const BenchmarkForm = formOf<BenchmarkOwner>()(
  Type.Union([
    Type.Object(
      {
        ...ofSet,
        ...asks,
        origin: Type.Literal('build'),
        build: BuildOptions,
        sets: Type.Optional(Type.Array(GeneratedSet, { maxItems: 200 })),
        agents: Type.Optional(Agents),
        costUsd: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
      },
      closedObject,
    ),
    Type.Object({ ...ofSet, ...asks, origin: Type.Literal('dataset'), writing: Writing }, closedObject),
    Type.Object(
      {
        ...ofSet,
        origin: Type.Literal('import'),
        manifest: Manifest,
        warnings: Type.Optional(Type.Array(Type.String())),
      },
      closedObject,
    ),
    Type.Object(
      {
        ...ofSet,
        origin: Type.Literal('review'),
        manifest: Manifest,
        reviewed: BenchmarkId,
        build: Type.Optional(BuildOptions),
        writing: Type.Optional(Writing),
      },
      closedObject,
    ),
  ]),
)

const Counts = defineRecord(Count)
const EvaluationForm = formOf<EvaluationOwner>()(
  Type.Object(
    {
      ...common,
      entity: Type.Literal('evaluation'),
      benchmark: BenchmarkId,
      set: Type.Object(
        { digest: Sha256, kind: Type.String(), cases: defineRange(1, maxCases) },
        closedObject,
      ),
      model: ModelChoice,
      options: EvaluationOptions,
      opinion: Type.Optional(
        Type.Object({ by: Endpoint, prompt: Sha256, failed: Type.Optional(Sha256) }, closedObject),
      ),
      probesFirst: Type.Optional(Type.Literal(true)),
      probed: Type.Optional(
        Type.Object(
          {
            status: EvaluationProbe.properties.status,
            reason: Type.Optional(Type.String()),
            remedies: Type.Optional(Type.Array(Type.String())),
            usage: Usage,
          },
          closedObject,
        ),
      ),
      parties: Type.Optional(defineRecord(Endpoint, { maxProperties: 64 })),
      budget: Type.Optional(UsageBudget),
      tags: Type.Optional(Type.Array(EvaluationTag, { maxItems: maxTags, uniqueItems: true })),
      baselineCheck: Type.Optional(BaselineCheck),
      recorded: Type.Optional(Type.Literal(true)),
      rescored: Type.Optional(
        Type.Object({ evaluation: EvaluationId, samples: defineRange(1, 1000) }, closedObject),
      ),
      unchecked: Type.Optional(Type.Literal(true)),
      ended: Type.Optional(
        Type.Object(
          {
            result: Sha256,
            figures: Type.Optional(Sha256),
            scored: Count,
            passed: Count,
            notScored: Count,
            timeouts: Type.Optional(Count),
            retries: Count,
            runtimes: Type.Array(Type.String()),
            sandboxes: Type.Optional(Counts),
            canaries: Type.Optional(Counts),
            tensorProviders: Type.Optional(Counts),
            usage: Usage,
            kept: Type.Optional(Count),
            repeated: Type.Optional(Count),
            cut: Type.Optional(Count),
            endings: Type.Optional(Type.Array(AnswerEnding)),
            parties: Type.Optional(defineRecord(Usage)),
            opinions: Type.Optional(
              Type.Object({ usage: Usage, retries: Count, kept: Count, repeated: Count }, closedObject),
            ),
            cases: Type.Optional(Sha256),
            host: Type.String(),
          },
          closedObject,
        ),
      ),
    },
    closedObject,
  ),
)

export interface OwnerChecks extends ArtifactChecks {
  owners: Pick<OwnerStore, 'get' | 'benchmark'>
  /** The kinds of benchmark of this version. */
  findBenchmark: (kind: string) => object | null
}

/**
 * The owner as it is restored. Work never continues by itself: a running evaluation is stopped, and people
 * may resume it.
 */
function stopOwner<O extends JobOwner>(owner: O): O {
  if (isEnded(owner)) return owner
  return {
    ...owner,
    status: 'cancelled',
    error:
      owner.entity === 'evaluation'
        ? 'stopped: it was running when it was backed up; resume it'
        : 'stopped: it was running when it was backed up; build again: earlier answers are reused',
  }
}

function checkCommon({ findBenchmark }: OwnerChecks, id: string, owner: JobOwner, kind: string): void {
  if (owner.id !== id) throwDocumentFault('/id', `must be ${id}, the document’s id`)
  if (!owner.stages[owner.stage]) throwDocumentFault('/stage', 'must be one of its stages')
  for (const [name, { total, partitions }] of Object.entries(owner.stages))
    if (partitions > Math.max(1, total))
      throwDocumentFault(`/stages/${name}/partitions`, `must be at most ${total}`)
  if (!findBenchmark(kind))
    throwDocumentFault('/kind', `${JSON.stringify(kind)} is no kind of benchmark of this version`)
}

export async function checkBenchmark(
  context: OwnerChecks,
  id: string,
  value: unknown,
): Promise<BenchmarkOwner> {
  const owner = requireForm(BenchmarkForm, value)
  const { kind, manifest, stages, status, origin } = owner
  checkCommon(context, id, owner, kind)
  if (manifest) {
    if (manifest.digest !== computeManifestDigest(manifest))
      throwDocumentFault('/manifest/digest', 'is not the hash of the manifest')
    if (manifest.kind !== kind) throwDocumentFault('/manifest/kind', `must be ${kind}`)
    if (manifest.counts.kept < 1 || manifest.counts.kept > maxCases)
      throwDocumentFault('/manifest/counts/kept', `must be from 1 to ${maxCases}`)
  } else if (status === 'succeeded') throwDocumentFault('/manifest', 'is missing')
  if (origin === 'import' && (stages['import']?.total ?? 0) > owner.manifest.counts.kept)
    throwDocumentFault(
      '/stages/import/total',
      `must be at most ${owner.manifest.counts.kept}, the number of cases`,
    )
  if (origin === 'build') {
    const programs = (owner.sets ?? []).reduce((sum, { count }) => sum + count, 0)
    if ((stages['programs']?.total ?? 0) > programs)
      throwDocumentFault(
        '/stages/programs/total',
        `must be at most ${programs}, the number of generated programs`,
      )
  }
  if (origin === 'dataset') await checkArtifact(context, '/writing/bundle', owner.writing.bundle, 'bundle')
  return stopOwner(owner)
}

/** Items of a stage of an evaluation, at most; undefined for a stage that none has. */
function countMostItems({ set, options }: EvaluationOwner, stage: string): number | undefined {
  const check = readCheckStage(stage)
  if (check) return check.stage === 'probe' ? 1 : set.cases
  if (stage === modelProbeStage) return 0
  return stage === 'samples' || stage === opinionStage ? set.cases * options.samples : undefined
}

export async function checkEvaluation(
  context: OwnerChecks,
  id: string,
  value: unknown,
): Promise<EvaluationOwner> {
  const owner = requireForm(EvaluationForm, value)
  const { set, options, stages, status, ended, model, opinion } = owner
  checkCommon(context, id, owner, set.kind)
  const samples = set.cases * options.samples
  if (samples > maxItems)
    throwDocumentFault('/set/cases', `must be at most ${maxItems} by the number of samples`)
  for (const [name, { total }] of Object.entries(stages)) {
    const most = countMostItems(owner, name)
    if (most === undefined) throwDocumentFault(`/stages/${name}`, 'is no stage of an evaluation')
    else if (total > most) throwDocumentFault(`/stages/${name}/total`, `must be at most ${most}`)
  }
  const manifest = (await context.owners.benchmark(owner.benchmark))?.manifest
  if (manifest && manifest.digest !== set.digest)
    throwDocumentFault('/set/digest', `must be ${manifest.digest}`)
  if (manifest && manifest.counts.kept !== set.cases)
    throwDocumentFault('/set/cases', `must be ${manifest.counts.kept}`)
  if ((status === 'succeeded') !== (ended !== undefined))
    throwDocumentFault('/ended', 'must be there if the status is succeeded, and only then')
  if (ended) {
    if (stages['samples']?.total !== samples)
      throwDocumentFault('/stages/samples/total', `must be ${samples}`)
    if (ended.scored + ended.notScored !== samples || ended.passed > ended.scored)
      throwDocumentFault(
        '/ended/scored',
        `and notScored must be ${samples} together, and passed at most scored`,
      )
    await checkArtifact(context, '/ended/result', ended.result, 'report')
    if (ended.figures !== undefined) await checkArtifact(context, '/ended/figures', ended.figures, 'figures')
    if (ended.cases !== undefined) await checkArtifact(context, '/ended/cases', ended.cases, 'usedByCase')
  }
  if (model.kind === 'given') await checkArtifact(context, '/model/answers', model.answers, 'answers')
  if (opinion) {
    await checkArtifact(context, '/opinion/prompt', opinion.prompt, 'prompt')
    if (opinion.failed !== undefined)
      await checkArtifact(context, '/opinion/failed', opinion.failed, 'places')
  }
  return stopOwner(owner)
}
