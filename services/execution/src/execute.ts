/**
 * One program in the sandbox. The observation of each input is stored immediately, so memory holds one at a
 * time.
 */
import {
  asJson,
  type AnyExecutionRequest,
  type ExecutionResult,
  type Input,
  maxInlineBytes,
  maxProgramBytes,
  type Observation,
  type Parts,
} from '@stateeval/contracts'
import {
  completeLimits,
  type LocalSandbox,
  type RunInput,
  type TakeObservation,
  type World,
} from '@stateeval/sandbox'
import { type ArtifactCache, Elsewhere } from '@stateeval/service-kit'
import { eachCalls } from './calls/run-calls.ts'
import { keepObservation, type KeepContext } from './keep-observation.ts'
import { withTensors } from './tensors.ts'

/** What a program is run with. */
interface ExecuteContext extends KeepContext {
  sandbox: Pick<LocalSandbox, 'each' | 'fingerprint'>
  /** A world by id; a problem that names the field where there is none. */
  world: (id: string, field: string) => World
  artifactCache: ArtifactCache
}

/**
 * Returns the packed ExecutionResult: small observations inline, up to `maxInline` bytes in total, the
 * others as artifacts. Once all observations exceed `maxBytes`, further inputs end as killed. Throws a
 * problem if an input names an artifact that is not stored here or is not a suitable tensor. With
 * `mayMove`, throws an Elsewhere if this machine has too little memory for an input; otherwise the input ends
 * as killed by memory.
 */
export async function execute(
  request: AnyExecutionRequest,
  context: ExecuteContext,
  signal: AbortSignal,
  { maxInline = maxInlineBytes, maxBytes = maxProgramBytes, mayMove = false } = {},
): Promise<Parts> {
  const { sandbox, world, artifactCache } = context
  const named = world(request.world, '/world')
  const provider = 'provider' in request ? request.provider : undefined
  const run = {
    inputs: seeded(await withTensors(request.inputs, artifactCache), request.seeds),
    world: (provider && named.tensors?.on(provider)) ?? named,
    limits: completeLimits(request.limits),
  }
  const parts: Parts[] = []
  let [inlineBytes, bytes] = [0, 0]
  const take: TakeObservation = async (observation, index) => {
    const lack = lackIn(observation)
    if (mayMove && lack !== undefined) throw new Elsewhere(lack)
    const { part, size } = await keepObservation(
      lack === undefined ? observation : withoutMemory(observation, lack),
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

const lackIn = ({ ending }: Observation) =>
  ending.status === 'infrastructure' && ending.lacks ? ending.reason : undefined
/** No machine here has the memory that the run asked for: a limit of the run, like any other. */
const withoutMemory = (observation: Observation, detail: string): Observation => ({
  ...observation,
  ending: { status: 'killed', by: 'memory', detail },
  faults: [],
})

const seeded = (inputs: Input[], seeds: readonly string[] = []): RunInput[] =>
  inputs.map((input, index) => {
    const seed = seeds[index]
    return seed === undefined ? input : { ...input, seed }
  })
