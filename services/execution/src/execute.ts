/** One program in the sandbox. What is observed of each input is stored as soon as it exists: memory holds one observation at a time. */
import {
  asJson,
  type AnyExecutionRequest,
  type ExecutionResult,
  type Input,
  maxInlineBytes,
  maxObservationBytes,
  maxProgramBytes,
  Observation,
  type Parts,
  ProblemError,
} from '@stateeval/contracts'
import { artifactsIn, resolveTensors } from '@stateeval/program'
import { completeLimits, type RunInput, type TakeObservation } from '@stateeval/sandbox'
import { checker, isAway, messageOf } from '@stateeval/service-kit'
import { eachCalls } from './calls/run-calls.ts'
import type { Context } from './context.ts'

type KeepContext = Pick<Context, 'artifacts' | 'log'>
type ExecuteContext = Pick<Context, 'sandbox' | 'world' | 'artifactCache' | 'artifacts' | 'log'>

/**
 * Gives the ExecutionResult, packed: small observations inline, as long as they have at most `maxInline` bytes together, each
 * other one as an artifact. Inputs after which all observations have more than `maxBytes` end as killed. Throws a problem where an input names an artifact that is not stored here, or that is no such tensor.
 */
export async function execute(
  request: AnyExecutionRequest,
  context: ExecuteContext,
  signal: AbortSignal,
  { maxInline = maxInlineBytes, maxBytes = maxProgramBytes } = {},
): Promise<Parts> {
  const { sandbox, world, artifactCache } = context
  const run = {
    inputs: seeded(await withTensors(request.inputs, artifactCache), request.seeds),
    world: world(request.world, '/world'),
    limits: completeLimits(request.limits),
  }
  const parts: Parts[] = []
  let [inlineBytes, bytes] = [0, 0]
  const take: TakeObservation = async (observation, index) => {
    const { part, size } = await keep(
      observation,
      { maxBytes, room: maxBytes - bytes, inline: maxInline - inlineBytes },
      context,
    )
    parts[index] = part
    bytes += size
    if ('inline' in part) inlineBytes += size
  }
  if ('calls' in request) {
    const { calls, binding } = request
    await eachCalls({ ...run, calls, binding }, signal, take)
  } else {
    const { language, code, sandbox: level } = request
    await sandbox.each({ ...run, language, code, ...(level !== undefined && { level }) }, signal, take)
  }
  const runtime = sandbox.fingerprint
  if (!parts.every((part) => 'inline' in part))
    return { object: { observations: { list: parts }, runtime: { inline: runtime } } }
  const observations = parts.map(({ inline }) => inline as Observation)
  return { inline: asJson({ observations, runtime } satisfies ExecutionResult) }
}

const seeded = (inputs: Input[], seeds: readonly string[] = []): RunInput[] =>
  inputs.map((input, index) => {
    const seed = seeds[index]
    return seed === undefined ? input : { ...input, seed }
  })

const contract = checker(Observation)

/** Stores one observation within the bounds. One that can't be stored is replaced by the reason: the others stay as they are. */
export async function keep(
  observation: Observation,
  { maxBytes, room, inline }: { maxBytes: number; room: number; inline: number },
  { artifacts, log }: KeepContext,
): Promise<{ part: Parts; size: number }> {
  const instead = (ending: Observation['ending']) => {
    const { wallMs, sandbox, faults } = observation
    const short: Observation = {
      ending,
      world: null,
      log: [],
      output: '',
      faults: faults.slice(0, 10),
      wallMs,
      sandbox,
    }
    return { part: { inline: asJson(short) }, size: Buffer.byteLength(JSON.stringify(short)) }
  }
  const text = textOf(observation)
  if (text === null || text.length > maxObservationBytes)
    return instead(
      tooLarge(
        observation,
        `RESULT, world, requests and output of an input may have ${maxObservationBytes} bytes as JSON`,
      ),
    )
  if (text.length > room)
    return instead(
      tooLarge(observation, `what is observed of all inputs of a program may have ${maxBytes} bytes as JSON`),
    )
  try {
    const fault = contract.fault(observation)
    if (fault) throw new Error(`it breaks its contract: ${fault.field} ${fault.says}`)
    const size = text.length
    const part =
      size <= inline ? { inline: asJson(observation) } : { artifact: await artifacts.put(text), bytes: size }
    return { part, size }
  } catch (error) {
    // The server comes back, and the program runs again; anything else would happen again, too.
    if (isAway(error)) throw error
    log.error({ err: error, bytes: text.length }, 'an observation could not be stored')
    return instead({
      status: 'infrastructure',
      reason: `the observation could not be stored: ${messageOf(error)}`.slice(0, 2000),
    })
  }
}

const tooLarge = ({ ending }: Observation, detail: string): Observation['ending'] =>
  ending.status === 'infrastructure' ? ending : { status: 'killed', by: 'result', detail }

/** null where it is longer than any text may be. */
function textOf(observation: Observation): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(observation))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

export const unusable = (says: string) =>
  new ProblemError(
    'unprocessable',
    `${says}; import the benchmark that names it again, or send the values as data`,
    '/inputs',
  )

/** The inputs with the values of tensors that are kept as artifacts. */
async function withTensors(inputs: Input[], artifactCache: Context['artifactCache']): Promise<Input[]> {
  const hashes = artifactsIn(inputs)
  if (hashes.length === 0) return inputs
  const files = await artifactCache.load(hashes)
  const resolved = resolveTensors(inputs, (hash) => files.get(hash))
  if (resolved.ok) return resolved.value
  throw unusable(resolved.says)
}
