/** Results of executions as JSON text, read from the store one observation at a time. */
import {
  toJson,
  type ExecutionResult,
  maxAnswerBytes,
  type Observation,
  type PayloadParts,
  ProblemError,
} from '@stateeval/contracts'
import { isAway, type JsonText, getErrorText } from '@stateeval/service-kit'
import type { ExecutionContext } from './context.ts'
import { formatProgramJob, type StoredExecution } from './store.ts'

export type ResultContext = Pick<ExecutionContext, 'artifacts' | 'outcomes' | 'reading' | 'log'>
/** The packed results of programs, by position, if this process already has them. */
export type KnownResults = ReadonlyMap<number, PayloadParts>

/** Limit of the results that an execution holds itself, in bytes: reading, or deleting it, stays cheap. */
const maxKeptBytes = 256 * 1024

/**
 * The results to store within an execution; undefined if they are large, or if one is an artifact, whose
 * name must be among the outcomes.
 */
export function formatKeptResults(results: readonly PayloadParts[]): string | undefined {
  if (!results.every((parts) => 'inline' in parts)) return undefined
  const text = JSON.stringify(results)
  return text.length <= maxKeptBytes ? text : undefined
}
/** The results that an execution keeps itself; undefined where they are outcomes of its jobs. */
const parseKeptResults = ({ results }: StoredExecution): KnownResults | undefined =>
  results === undefined ? undefined : new Map((JSON.parse(results) as PayloadParts[]).entries())

/** The results as values, if all are known and none contains an artifact. */
export function loadResultsAtHand(
  record: StoredExecution,
  results = parseKeptResults(record),
): ExecutionResult[] | undefined {
  const values: ExecutionResult[] = []
  for (let n = 0; n < record.total; n++) {
    const parts = results?.get(n)
    if (!parts || !('inline' in parts)) return undefined
    values.push(parts.inline as ExecutionResult)
  }
  return values
}

/** The size of a packed value as JSON. */
export function measureParts(parts: PayloadParts): number {
  if ('inline' in parts) return Buffer.byteLength(JSON.stringify(parts.inline))
  if ('artifact' in parts) return 'bytes' in parts ? parts.bytes : 0
  const members = 'list' in parts ? parts.list : Object.values(parts.object)
  return members.reduce((sum, member) => sum + measureParts(member) + 1, 2)
}

/** Loads the stored result of the n-th program of an execution that has succeeded. */
async function loadProgramEnd(
  { _id }: StoredExecution,
  n: number,
  context: ResultContext,
  results?: KnownResults,
) {
  const outcome = results?.get(n) ? null : await context.outcomes.find(formatProgramJob(_id, n))
  const parts = results?.get(n) ?? (outcome?.status === 'done' ? outcome.value : undefined)
  if (!parts)
    throw new ProblemError(
      'internal',
      `the result of program ${n} is missing in the store; run the program again`,
    )
  if ('object' in parts && parts.object['observations'] && parts.object['runtime']) {
    const { observations, runtime } = parts.object
    return {
      runtime: (await context.artifacts.unpack(runtime)) as string,
      observations: 'list' in observations ? observations.list : [],
    }
  }
  const { observations, runtime } = (await context.artifacts.unpack(parts)) as ExecutionResult
  return {
    runtime,
    observations: observations.map((inline): PayloadParts => ({ inline: toJson(inline) })),
  }
}

/** A caller takes so many bytes of an artifact at a time. */
const pieceBytes = 64 * 1024

/** One observation. One that is damaged in the store is replaced by the reason. */
async function* loadObservationText(
  part: PayloadParts,
  { artifacts, reading, log }: ResultContext,
  signal: AbortSignal,
): JsonText {
  if (!('artifact' in part)) return yield JSON.stringify(await artifacts.unpack(part))
  const giveBack = await reading.take(measureParts(part), signal)
  try {
    const bytes = await artifacts.get(part.artifact).catch((error: unknown) => {
      if (isAway(error)) throw error
      log.error({ err: error }, 'an observation could not be read')
      return getErrorText(error)
    })
    if (bytes === null || typeof bytes === 'string') {
      const reason = bytes ?? `there is no artifact ${part.artifact} in the store`
      yield JSON.stringify(
        createLostObservation(`the observation could not be read: ${reason}; run the program again`),
      )
    } else for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  } finally {
    giveBack()
  }
}
const createLostObservation = (reason: string): Observation => ({
  ending: { status: 'infrastructure', reason },
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: 'unknown',
})

/** An execution with the results of all its programs. */
export async function* withResults(
  execution: object,
  record: StoredExecution,
  context: ResultContext,
  signal: AbortSignal,
  results = parseKeptResults(record),
): JsonText {
  yield `${JSON.stringify(execution).slice(0, -1)},${record.batch ? '"results":[' : '"result":'}`
  for (let n = 0; n < record.total; n++) {
    const { runtime, observations } = await loadProgramEnd(record, n, context, results)
    yield `${n > 0 ? ',' : ''}{"observations":[`
    for (const [at, part] of observations.entries()) {
      if (at > 0) yield ','
      yield* loadObservationText(part, context, signal)
    }
    yield `],"runtime":${JSON.stringify(runtime)}}`
  }
  yield record.batch ? ']}' : '}'
}

export interface ResultPosition {
  program: number
  input: number
}

/** A page of observations from a position: at most `limit`, and at most as many as fit a response. */
export async function loadResultPage(
  record: StoredExecution,
  { from, limit }: { from: ResultPosition; limit: number },
  context: ResultContext,
  signal: AbortSignal,
): Promise<JsonText> {
  const results = parseKeptResults(record)
  // A missing result becomes a problem, as long as the response has not begun.
  const first = await loadProgramEnd(record, from.program, context, results)
  async function* text(): JsonText {
    yield '{"items":['
    let [count, bytes] = [0, 0]
    for (let program = from.program; program < record.total; program++) {
      const { runtime, observations } =
        program === from.program ? first : await loadProgramEnd(record, program, context, results)
      for (let input = program === from.program ? from.input : 0; input < observations.length; input++) {
        const part = observations[input]!
        bytes += measureParts(part)
        if (count > 0 && (count === limit || bytes > maxAnswerBytes))
          return yield `],"next":"${program}.${input}"}`
        yield `${count++ > 0 ? ',' : ''}{"program":${program},"input":${input},"runtime":${JSON.stringify(runtime)},"observation":`
        yield* loadObservationText(part, context, signal)
        yield '}'
      }
    }
    yield ']}'
  }
  return text()
}
