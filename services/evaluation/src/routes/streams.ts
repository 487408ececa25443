/** Streams: created, listed, revealed, deleted; their tasks and references. */
import { randomBytes } from 'node:crypto'
import {
  type BenchmarkCase,
  type Case,
  ProblemError,
  computeStreamCommitment,
  type StreamOptions,
  type StreamRequest,
} from '@stateeval/contracts'
import { executionPaths, faultsOfOptions, isCall, pathDepth, writtenSteps } from '@stateeval/program'
import { type ArtifactCache, type MongoStore, pageOf, type Platform } from '@stateeval/service-kit'
import type { Catalog } from '../catalog.ts'
import { usualLanguage } from '../choices/options.ts'
import { scenariosOf, versionsOf } from '../owners/programs.ts'
import { referenceAnswer } from '../owners/reference.ts'
import type { Sets } from '../owners/sets.ts'
import type { Blocks } from '../streams/blocks.ts'
import { blockOf, placeInBlock } from '../streams/layout.ts'
import { digestOfTask } from '../streams/make-block.ts'
import { removeStream, type StreamRemoval } from '../streams/remove.ts'
import {
  existingStream,
  isSealed,
  type KnownStream,
  secretOf,
  type StoredStream,
  type StreamParts,
  streamResource,
} from '../streams/stored.ts'
import type { Route } from './route.ts'

interface Tasks extends StreamParts {
  knownStream(id: string): Promise<KnownStream>
  blocks: Blocks
  sets: Sets
}
interface Creator
  extends
    StreamParts,
    Pick<Catalog, 'scenarios' | 'benchmarks'>,
    Pick<Platform, 'newId' | 'now' | 'bus' | 'quota'> {
  mongo: MongoStore
}

const random = () => randomBytes(16).toString('hex')
const unprocessable = (says: string, field: string) =>
  new ProblemError('unprocessable', says, `/options/${field}`)

/** All options, in the form in which they are stored and committed to. */
function completed(
  { scenarios }: Pick<Catalog, 'scenarios'>,
  given: StreamRequest['options'],
): StreamOptions {
  const { scenario, branches, pathDepth: depth, apis, scenarioOptions, length = {} } = given
  const named = scenariosOf({ scenarios }, { scenario })
  if (named.length === 0)
    throw unprocessable(
      `there is no scenario ${JSON.stringify(scenario)}; available: ${scenarios.map(({ id }) => id).join(', ')}, all`,
      'scenario',
    )
  const { max = Math.max(5, length.min ?? 5) } = length
  const { min = Math.min(5, max) } = length
  if (min > max)
    throw unprocessable(`length.min is ${min}, more than length.max, which is ${max}`, 'length/min')
  if ((depth?.min ?? 0) > (depth?.max ?? 50))
    throw unprocessable(
      `pathDepth.min is ${depth?.min}, more than pathDepth.max, which is ${depth?.max}`,
      'pathDepth/min',
    )
  if ((depth?.min ?? 0) >= max)
    throw unprocessable(
      `a path of ${max} calls has a depth of at most ${max - 1}; ask for a smaller pathDepth.min or longer tasks`,
      'pathDepth/min',
    )
  if (apis && scenario === 'all')
    throw unprocessable('apis needs one scenario; name it, or leave apis out', 'apis')
  const known = named.flatMap(({ operations }) => operations.map(({ id }) => id))
  const unknown = apis?.find((api) => !known.includes(api))
  if (unknown !== undefined)
    throw unprocessable(
      `${JSON.stringify(unknown)} is not an API of ${scenario}; available: ${known.join(', ')}`,
      'apis',
    )
  const [fault] = faultsOfOptions(named, scenarioOptions ?? {})
  if (fault) throw unprocessable(`${fault.name}: ${fault.says}`, `scenarioOptions/${fault.name}`)
  return {
    scenario,
    length: { min, max },
    ...(branches !== undefined && { branches }),
    ...(depth && { pathDepth: { ...depth } }),
    ...(apis && { apis: [...apis].sort() }),
    ...(scenarioOptions && { scenarioOptions: { ...scenarioOptions } }),
  }
}

/** Throws a problem if the limit is reached. */
function takePlace({ mongo, quota }: Pick<Creator, 'mongo' | 'quota'>, id: string) {
  return quota.begin('streams', id, {
    async running() {
      const all = await mongo
        .collection('streams')
        .find({}, { projection: { _id: 1 } })
        .toArray()
      return all.map(({ _id }) => _id)
    },
    // One that is deleted gives its place back.
    hasEnded: async () => false,
  })
}

export const createStream: Route<'createStream', Creator> = async ({ body, idempotencyKey }, context) => {
  const { purpose = 'training', seed = random() } = body
  const options = completed(context, body.options)
  const kind = context.benchmarks.find(({ build }) => build)?.kind
  if (kind === undefined)
    throw new ProblemError('unprocessable', 'no benchmark of this version is built from programs')
  const id = context.newId('str', idempotencyKey)
  const there = await context.streams.get(id)
  if (!there) {
    context.bus.check()
    await takePlace(context, id)
    const secret = { seed, salt: random() }
    const about = { kind, options, versions: versionsOf(scenariosOf(context, options)) }
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
  const stored = await existingStream(context, id)
  return { status: 201, body: streamResource(id, stored), headers: { location: `/v1/streams/${id}` } }
}

export const listStreams: Route<'listStreams', Pick<StreamParts, 'streams'>> = async (
  { query: { limit = 50, cursor } },
  { streams },
) => {
  const entries = await streams.page(cursor, limit + 1)
  return {
    status: 200,
    body: pageOf(
      entries.map(({ id, value }) => streamResource(id, value)),
      limit,
    ),
  }
}

export const getStream: Route<'getStream', Pick<StreamParts, 'streams'>> = async (
  { params: { id } },
  context,
) => ({
  status: 200,
  body: streamResource(id, await existingStream(context, id)),
})

/** A task, whose block is made where it is not there. */
async function taskAt(
  context: Tasks,
  id: string,
  text: string,
): Promise<{ stream: KnownStream; index: number; task: BenchmarkCase }> {
  const index = Number(text)
  const stream = await context.knownStream(id)
  const set = await context.blocks.holding(stream, index)
  return { stream, index, task: await context.sets.case(set, placeInBlock(index)) }
}

const taskDifficulty = ({ program }: Case) => {
  const calls = writtenSteps(program).filter(isCall)
  return {
    length: Math.max(...executionPaths(program).map((path) => path.steps.filter(isCall).length)),
    branch: program.branch !== undefined,
    pathDepth: pathDepth(program),
    apis: new Set(calls.map(({ api }) => api)).size,
  }
}

export const getStreamTask: Route<'getStreamTask', Tasks> = async ({ params }, context) => {
  const { stream, index, task } = await taskAt(context, params.id, params.index)
  const { id, instruction, variables = [], scenario } = task as Case
  return {
    status: 200,
    body: {
      stream: stream.id,
      index,
      block: blockOf(index),
      task: id,
      digest: digestOfTask(task),
      scenario,
      instruction,
      variables,
      ...(!isSealed(stream.stored) && { difficulty: taskDifficulty(task as Case) }),
    },
  }
}

export const getStreamReference: Route<
  'getStreamReference',
  Tasks & Pick<Catalog, 'benchmark'> & { artifactCache: ArtifactCache }
> = async ({ params, query }, context) => {
  // Before anything is generated, and as it is now.
  if (isSealed(await existingStream(context, params.id)))
    throw new ProblemError(
      'conflict',
      `the stream ${params.id} is sealed, so its references are secret; reveal it first (POST /v1/streams/${params.id}/reveal)`,
    )
  const { stream, index, task } = await taskAt(context, params.id, params.index)
  const benchmark = context.benchmark(stream.stored.kind)
  const { language = usualLanguage(benchmark) } = query
  const answer = await referenceAnswer(context, benchmark, task, language)
  return {
    status: 200,
    body: { stream: stream.id, index, task: task.id, instruction: task.instruction, answer },
  }
}

export const revealStream: Route<'revealStream', StreamParts & Pick<Platform, 'now'>> = async (
  { params: { id } },
  context,
) => {
  const stored = await existingStream(context, id)
  if (stored.purpose === 'training')
    throw new ProblemError(
      'conflict',
      `${id} is a training stream, whose seed is not secret; GET /v1/streams/${id} shows it`,
    )
  const opened = await secretOf(context, id, stored)
  const revealed = await context.streams.update(id, (stream) =>
    stream.opened ? null : { ...stream, opened, revealedAt: context.now().toISOString() },
  )
  return { status: 200, body: streamResource(id, revealed ?? (await existingStream(context, id))) }
}

export const deleteStream: Route<'deleteStream', StreamParts & StreamRemoval> = async (
  { params: { id } },
  context,
) => {
  await existingStream(context, id)
  await removeStream(context, id)
  return { status: 204 }
}
