import {
  type ConformanceResult,
  computeContentId,
  type EvaluationRequest,
  ProblemError,
  sha256,
  WritingOptions,
  type WritingRequest,
} from '@stateeval/contracts'
import type { EndpointModel } from '@stateeval/flows'
import { estimateTokens } from '@stateeval/models'
import { type MessageBus, createChecker, type ServicePlatform } from '@stateeval/service-kit'
import type { SuiteCatalog } from '@stateeval/sets'
import type { EvaluationConfig } from '../config.ts'
import { chooseModel, type ModelChoices, type GivenAnswers } from '../choices/models.ts'
import {
  widenWindow,
  type ItemWindow,
  type RunningPlaces,
  takePlace,
  beginStage,
  createStage,
  type ResourceReader,
  type StageStarter,
  type OwnerSource,
  describeBenchmark,
} from '@stateeval/jobs'
import { type WritingBundle, openSource, storeTaskSource, type TaskSources } from '../owners/task-source.ts'
import type { OperationRoute } from './route.ts'

type WritingKinds = Pick<SuiteCatalog, 'benchmarks' | 'findBenchmark'> & Pick<EvaluationConfig, 'prompts'>
interface BenchmarkWriter
  extends
    OwnerSource,
    WritingKinds,
    ModelChoices,
    GivenAnswers,
    TaskSources,
    ResourceReader,
    StageStarter,
    Pick<RunningPlaces, 'quota' | 'active'>,
    Pick<ServicePlatform, 'newId' | 'now'> {
  bus: MessageBus
  window: ItemWindow
}

export const writeBenchmark: OperationRoute<'writeBenchmark', BenchmarkWriter> = async (
  { body, idempotencyKey },
  context,
) => {
  const { kind, specification, budget } = body
  const { options, prompts, source } = await openRequested(body, context)
  const { artifacts, ...taskSource } = source
  if (taskSource.parts.length === 0) {
    const [first] = taskSource.targets
    throw new ProblemError(
      'unprocessable',
      `no task can be written for any endpoint; the first is ${first?.name}: ${[first?.skipped, first?.detail].filter(Boolean).join(': ')}`,
      '/specification',
    )
  }
  const model = await chooseWriter(context, body)
  context.bus.check()
  // Cases name these; whoever scores them reads them.
  for (const bytes of Object.values(artifacts ?? {})) await context.artifacts.put(bytes)
  const id = context.newId('bm', idempotencyKey)
  await takePlace(context, 'benchmark', id)
  const { owner, created } = await context.owners.create({
    id,
    entity: 'benchmark',
    status: 'running',
    stage: 'tasks',
    stages: {
      tasks: createStage(
        taskSource.parts.length,
        widenWindow(context.window, model.settings.concurrency ?? 8),
      ),
    },
    createdAt: context.now().toISOString(),
    kind,
    origin: 'dataset',
    writing: {
      options,
      specification: sha256(specification),
      bundle: await context.artifacts.putJson({ specification, prompts } satisfies WritingBundle),
      prompts: computeContentId(prompts).slice(0, 12),
      model,
    },
    ...(budget && { budget }),
  })
  if (created) {
    await storeTaskSource(context, id, taskSource)
    await beginStage(context, owner)
  }
  return {
    status: 202,
    body: await describeBenchmark(context, owner),
    headers: { location: `/v1/benchmarks/${id}` },
  }
}

/** Plans the questions of a build; needs no model. */
export const planBenchmark: OperationRoute<
  'planBenchmark',
  WritingKinds & Pick<TaskSources, 'threads'>
> = async ({ body }, context) => {
  const { source } = await openRequested(body, context)
  const plan = await source.plan()
  return {
    status: 200,
    body: {
      endpoints: source.targets.map((target, n) => ({ ...target, ...plan?.endpoints[n] })),
      usable: source.parts.flat().length,
      questions: source.parts.length,
      ...(plan && { promptTokens: estimateTokens(plan.promptCharacters) }),
    },
  }
}

/** Requests of programs, held against a specification in a thread. */
export const checkConformance: OperationRoute<
  'checkConformance',
  WritingKinds & Pick<TaskSources, 'threads'>
> = async ({ body }, context) => {
  const { benchmarks } = context
  if (!context.findBenchmark(body.kind)?.building?.writing?.conformance)
    throw new ProblemError(
      'unprocessable',
      `there is no kind ${JSON.stringify(body.kind)} that checks requests; available: ${benchmarks.flatMap(({ kind, building }) => (building?.writing?.conformance ? [kind] : [])).join(', ')}`,
      '/kind',
    )
  const programs = await context.threads
    .run<ConformanceResult['programs']>('checkConformance', body, { maxMs: 120_000 })
    .catch(rethrowSpecificationProblem)
  return { status: 200, body: { programs } }
}

/** A problem of a file is one of the request's specification. */
function rethrowSpecificationProblem(error: unknown): never {
  if (error instanceof ProblemError && error.field?.startsWith('/files/'))
    throw new ProblemError('unprocessable', error.message, '/specification')
  throw error
}

/** The options of a request, completed, and the task source that it names. */
async function openRequested(
  { kind, specification, model: _m, recording: _r, fresh: _f, budget: _b, ...chosenOptions }: WritingRequest,
  context: WritingKinds & Pick<TaskSources, 'threads'>,
) {
  const options = createChecker(WritingOptions).complete(structuredClone(chosenOptions))
  const prompts = context.prompts[kind] ?? {}
  const source = await openTaskSource(context, kind, { specification, prompts }, options)
  return { options, prompts, source }
}

/** The specification as what tasks are written from. A problem says at once what keeps it from that. */
async function openTaskSource(
  context: WritingKinds & Pick<TaskSources, 'threads'>,
  kind: string,
  bundle: WritingBundle,
  options: WritingOptions,
): ReturnType<typeof openSource> {
  const writing = context.findBenchmark(kind)?.building?.writing
  if (!writing)
    throw new ProblemError(
      'unprocessable',
      `there is no kind ${JSON.stringify(kind)} whose tasks can be written; available: ${context.benchmarks.flatMap(({ kind: name, building }) => (building?.writing ? [name] : [])).join(', ')}`,
      '/kind',
    )
  return openSource(context, kind, bundle, options, true).catch(rethrowSpecificationProblem)
}

async function chooseWriter(
  context: ModelChoices & GivenAnswers,
  { kind, model, recording, fresh, budget }: WritingRequest,
): Promise<EndpointModel> {
  if ((model === undefined) === (recording === undefined))
    throw new ProblemError(
      'unprocessable',
      'name either the model that writes the tasks, or a recording',
      '/model',
    )
  const request = {
    benchmark: kind,
    ...(model !== undefined && { model }),
    ...(recording !== undefined && { recording }),
    ...(fresh !== undefined && { fresh }),
    ...(budget && { budget }),
  } satisfies EvaluationRequest
  const choice = await chooseModel(context, request)
  if (choice.kind !== 'endpoint')
    throw new ProblemError(
      'unprocessable',
      `the built-in model ${choice.kind} writes no tasks; PUT /v1/models/{name} names one that does`,
      '/model',
    )
  return choice
}
