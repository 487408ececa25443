/** Streams: created, listed, revealed, deleted; their tasks and references. */
import { randomBytes } from 'node:crypto'
import {
  type BenchmarkCase,
  type Case,
  nestedLength,
  ProblemError,
  computeStreamCommitment,
  type StreamOptions,
  type StreamRequest,
} from '@stateeval/contracts'
import {
  listExecutionPaths,
  findOptionFaults,
  isCall,
  measurePathDepth,
  listWrittenSteps,
  getLevel,
  type Scenario,
} from '@stateeval/program'
import { buildPage, type ServicePlatform } from '@stateeval/service-kit'
import {
  type SuiteCatalog,
  chooseDefaultLanguage,
  listScenarios,
  collectVersions,
  loadReferenceAnswer,
} from '@stateeval/sets'
import { getBlockNumber, getPlaceInBlock } from '../streams/layout.ts'
import { computeTaskDigest } from '../streams/make-block.ts'
import {
  requireStream,
  isSealed,
  type KnownStream,
  openSecret,
  type StoredStream,
  type StreamParts,
  describeStream,
} from '../streams/stored.ts'
import type { EvaluationRoute } from '@stateeval/jobs'
import type { StreamsContext } from '../context.ts'

type StreamTasks = Pick<StreamsContext, 'blocks' | 'knownStream' | 'sets'>

const drawStreamSecret = () => randomBytes(16).toString('hex')
const createUnprocessable = (says: string, field: string) =>
  new ProblemError('unprocessable', says, `/options/${field}`)

/** The length of a level's programs: the mean where there are several scenarios. */
const computeUsualLength = (scenarios: readonly Scenario[], level: number) =>
  Math.round(
    scenarios.reduce((sum, scenario) => sum + getLevel(scenario, level).length, 0) / scenarios.length,
  )

/** All options, in the form in which they are stored and committed to. */
async function completeStreamOptions(
  catalog: Pick<SuiteCatalog, 'scenarios' | 'loadScenario'>,
  given: StreamRequest['options'],
): Promise<StreamOptions> {
  const { scenarios } = catalog
  const {
    scenario,
    branches,
    pathDepth: depth,
    bindings,
    distractors,
    difficulty,
    apis,
    scenarioOptions,
    length = {},
  } = given
  const named = await listScenarios(catalog, { scenario })
  if (named.length === 0)
    throw createUnprocessable(
      `there is no scenario ${JSON.stringify(scenario)}; available: ${scenarios.map(({ id }) => id).join(', ')}, all`,
      'scenario',
    )
  const usual = difficulty === undefined ? 5 : computeUsualLength(named, difficulty)
  const { max = Math.max(usual, length.min ?? usual) } = length
  const { min = Math.min(usual, max) } = length
  if (min > max)
    throw createUnprocessable(`length.min is ${min}, more than length.max, which is ${max}`, 'length/min')
  if ((depth?.min ?? 0) > (depth?.max ?? 50))
    throw createUnprocessable(
      `pathDepth.min is ${depth?.min}, more than pathDepth.max, which is ${depth?.max}`,
      'pathDepth/min',
    )
  if ((bindings?.min ?? 0) > (bindings?.max ?? 200))
    throw createUnprocessable(
      `bindings.min is ${bindings?.min}, more than bindings.max, which is ${bindings?.max}`,
      'bindings/min',
    )
  if ((depth?.min ?? 0) >= max)
    throw createUnprocessable(
      `a path of ${max} calls has a depth of at most ${max - 1}; ask for a smaller pathDepth.min or longer tasks`,
      'pathDepth/min',
    )
  if ((branches ?? 0) > 1 && min < nestedLength)
    throw createUnprocessable(
      `tasks of ${min} calls have no room for nested branches; ask for at most 1 for branches or for longer tasks`,
      'branches',
    )
  if (apis && scenario === 'all')
    throw createUnprocessable('apis needs one scenario; name it, or leave apis out', 'apis')
  const known = named.flatMap(({ operations }) => operations.map(({ id }) => id))
  const unknown = apis?.find((api) => !known.includes(api))
  if (unknown !== undefined)
    throw createUnprocessable(
      `${JSON.stringify(unknown)} is not an API of ${scenario}; available: ${known.join(', ')}`,
      'apis',
    )
  const [fault] = findOptionFaults(named, scenarioOptions ?? {})
  if (fault) throw createUnprocessable(`${fault.name}: ${fault.says}`, `scenarioOptions/${fault.name}`)
  return {
    scenario,
    length: { min, max },
    ...(branches !== undefined && { branches }),
    ...(depth && { pathDepth: { ...depth } }),
    ...(bindings && { bindings: { ...bindings } }),
    ...(distractors !== undefined && { distractors }),
    ...(difficulty !== undefined && { difficulty }),
    ...(apis && { apis: [...apis].sort() }),
    ...(scenarioOptions && { scenarioOptions: { ...scenarioOptions } }),
  }
}

export const createStream: EvaluationRoute<'createStream', StreamsContext> = async (
  { body, idempotencyKey },
  context,
) => {
  const { purpose = 'training', seed = drawStreamSecret() } = body
  const options = await completeStreamOptions(context.catalog, body.options)
  const kind = context.catalog.benchmarks.find(({ building }) => building?.build)?.kind
  if (kind === undefined)
    throw new ProblemError('unprocessable', 'no benchmark of this version is built from programs')
  const id = context.newId('str', idempotencyKey)
  const there = await context.streams.get(id)
  if (!there) {
    context.bus.check()
    await context.places.take(id)
    const secret = { seed, salt: drawStreamSecret() }
    const versions = collectVersions(await listScenarios(context.catalog, options))
    const about = { kind, options, versions }
    const created: StoredStream = {
      purpose,
      ...about,
      commitment: computeStreamCommitment({ ...about, ...secret }),
      sealed: await context.streamBox.seal(JSON.stringify(secret), id),
      ...(purpose === 'training' && { opened: secret }),
      createdAt: context.now().toISOString(),
    }
    await context.streams.create(id, created)
  }
  const stored = await requireStream(context, id)
  return { status: 201, body: describeStream(id, stored), headers: { location: `/v1/streams/${id}` } }
}

export const listStreams: EvaluationRoute<'listStreams', Pick<StreamParts, 'streams'>> = async (
  { query: { limit = 50, cursor } },
  { streams },
) => {
  const entries = await streams.page(cursor, limit + 1)
  return {
    status: 200,
    body: buildPage(
      entries.map(({ id, value }) => describeStream(id, value)),
      limit,
    ),
  }
}

export const getStream: EvaluationRoute<'getStream', Pick<StreamParts, 'streams'>> = async (
  { params: { id } },
  context,
) => ({
  status: 200,
  body: describeStream(id, await requireStream(context, id)),
})

/** A task, whose block is made where it is not there. */
async function loadTask(
  context: StreamTasks,
  id: string,
  text: string,
): Promise<{ stream: KnownStream; index: number; task: BenchmarkCase }> {
  const index = Number(text)
  const stream = await context.knownStream(id)
  const set = await context.blocks.holding(stream, index)
  return { stream, index, task: await context.sets.case(set, getPlaceInBlock(index)) }
}

const measureTaskDifficulty = ({ program }: Case) => {
  const calls = listWrittenSteps(program).filter(isCall)
  return {
    length: Math.max(...listExecutionPaths(program).map((path) => path.steps.filter(isCall).length)),
    branch: program.branch !== undefined,
    pathDepth: measurePathDepth(program),
    apis: new Set(calls.map(({ api }) => api)).size,
  }
}

export const getStreamTask: EvaluationRoute<'getStreamTask', StreamTasks> = async ({ params }, context) => {
  const { stream, index, task } = await loadTask(context, params.id, params.index)
  const { id, instruction, variables = [], scenario } = task as Case
  return {
    status: 200,
    body: {
      stream: stream.id,
      index,
      block: getBlockNumber(index),
      task: id,
      digest: computeTaskDigest(task),
      scenario,
      instruction,
      variables,
      ...(!isSealed(stream.stored) && { difficulty: measureTaskDifficulty(task as Case) }),
    },
  }
}

export const getStreamReference: EvaluationRoute<'getStreamReference', StreamsContext> = async (
  { params, query },
  context,
) => {
  // Before anything is generated, and as it is now.
  if (isSealed(await requireStream(context, params.id)))
    throw new ProblemError(
      'conflict',
      `the stream ${params.id} is sealed, so its references are secret; reveal it first (POST /v1/streams/${params.id}/reveal)`,
    )
  const { stream, index, task } = await loadTask(context, params.id, params.index)
  const benchmark = context.catalog.benchmark(stream.stored.kind)
  const { language = chooseDefaultLanguage(benchmark) } = query
  const answer = await loadReferenceAnswer(context, benchmark, task, language)
  return {
    status: 200,
    body: { stream: stream.id, index, task: task.id, instruction: task.instruction, answer },
  }
}

export const revealStream: EvaluationRoute<
  'revealStream',
  StreamParts & Pick<ServicePlatform, 'now'>
> = async ({ params: { id } }, context) => {
  const stored = await requireStream(context, id)
  if (stored.purpose === 'training')
    throw new ProblemError(
      'conflict',
      `${id} is a training stream, whose seed is not secret; GET /v1/streams/${id} shows it`,
    )
  const opened = await openSecret(context, id, stored)
  const revealed = await context.streams.update(id, (stream) =>
    stream.opened ? null : { ...stream, opened, revealedAt: context.now().toISOString() },
  )
  return { status: 200, body: describeStream(id, revealed ?? (await requireStream(context, id))) }
}

export const deleteStream: EvaluationRoute<
  'deleteStream',
  Pick<StreamsContext, 'streams' | 'places'>
> = async ({ params: { id } }, context) => {
  await requireStream(context, id)
  await context.places.remove(id)
  return { status: 204 }
}
