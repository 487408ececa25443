/**
 * One program in the sandbox. The observation of each input is stored immediately, so memory holds one at a
 * time.
 */
import {
  toJson,
  type AnyExecutionRequest,
  type CanaryCounts,
  type ExecutionResult,
  type ExecutionInput,
  maxInlineBytes,
  maxProgramBytes,
  type Observation,
  type PayloadParts,
} from '@stateeval/contracts'
import {
  completeLimits,
  mergeConfirmations,
  type CleanConfirmation,
  type LocalSandbox,
  type RunInput,
  type TakeObservation,
  type SandboxWorld,
} from '@stateeval/sandbox'
import { type ArtifactCache, getCurrentProject, ElsewhereError } from '@stateeval/service-kit'
import { runCallsOnInputs } from './calls/run-calls.ts'
import { keepObservation, type KeepContext } from './keep-observation.ts'
import { withTensors } from './tensors.ts'

/** Parts of an execution. */
interface ExecuteContext extends KeepContext {
  sandbox: Pick<LocalSandbox, 'each' | 'fingerprint'>
  /** A world by id; a problem that names the field where there is none. */
  world: (id: string, field: string) => Promise<SandboxWorld>
  artifactCache: ArtifactCache
}

/** The packed ExecutionResult, and whether the warm jails were clean in which it came about. */
interface ExecutedJob {
  observations: PayloadParts[]
  runtime: string
  confirmation: CleanConfirmation
}
interface ExecuteOptions {
  maxInline?: number
  maxBytes?: number
  mayMove?: boolean
}

/**
 * Executes, and waits until canaries have found the warm jails clean. Otherwise executes again in separate
 * jails, which share nothing. Throws as `execute` does.
 */
export async function executeConfirmed(
  request: AnyExecutionRequest,
  context: ExecuteContext,
  signal: AbortSignal,
  options?: ExecuteOptions,
): Promise<PayloadParts> {
  const first = await execute(request, context, signal, options)
  if ('calls' in request) return packResult(first)
  if (await first.confirmation.confirm()) {
    const isWarm = first.confirmation.count > 0
    return packResult(first, isWarm ? { clean: 1, touched: 0 } : undefined)
  }
  return executeSeparately(request, context, signal, options)
}

/** Executes a program again whose warm jail was not clean, in separate jails. */
export async function executeSeparately(
  request: AnyExecutionRequest,
  context: ExecuteContext,
  signal: AbortSignal,
  options?: ExecuteOptions,
): Promise<PayloadParts> {
  context.log.warn('a warm jail was not clean: its programs are repeated in separate jails')
  const level = 'sandbox' in request && request.sandbox === 'gvisor' ? request.sandbox : 'process-jail'
  const executed = await execute({ ...request, sandbox: level }, context, signal, options)
  return packResult(executed, { clean: 0, touched: 1 })
}

/**
 * Returns the observations, packed: small observations inline, up to `maxInline` bytes in total, the others
 * as artifacts. Once all observations exceed `maxBytes`, further inputs end as killed. Throws a problem if an
 * input names an artifact that is not stored here or is not a suitable tensor. With `mayMove`, throws an
 * ElsewhereError if this machine has too little memory for an input; otherwise the input ends as killed by
 * memory.
 */
export async function execute(
  request: AnyExecutionRequest,
  context: ExecuteContext,
  signal: AbortSignal,
  { maxInline = maxInlineBytes, maxBytes = maxProgramBytes, mayMove = false }: ExecuteOptions = {},
): Promise<ExecutedJob> {
  const { sandbox, world, artifactCache } = context
  const named = await world(request.world, '/world')
  const provider = 'provider' in request ? request.provider : undefined
  const run = {
    inputs: assignSeeds(await withTensors(request.inputs, artifactCache), request.seeds),
    world: (provider && named.tensors?.on(provider)) ?? named,
    limits: completeLimits(request.limits),
  }
  const parts: PayloadParts[] = []
  let confirmation = mergeConfirmations([])
  let [inlineBytes, bytes] = [0, 0]
  const take: TakeObservation = async (observation, index) => {
    const lack = getLacking(observation)
    if (mayMove && lack !== undefined) throw new ElsewhereError(lack)
    const { part, size } = await keepObservation(
      lack === undefined ? observation : reportMissingMemory(observation, lack),
      { maxBytes, room: maxBytes - bytes, inline: maxInline - inlineBytes },
      context,
    )
    parts[index] = part
    bytes += size
    if ('inline' in part) inlineBytes += size
  }
  if ('calls' in request) {
    const { calls, binding } = request
    await runCallsOnInputs({ ...run, calls, binding }, signal, take)
  } else {
    const { language, code, sandbox: level } = request
    confirmation = await sandbox.each(
      { ...run, language, code, owner: getCurrentProject(), ...(level !== undefined && { level }) },
      signal,
      take,
    )
  }
  return { observations: parts, runtime: sandbox.fingerprint, confirmation }
}

/** The result as it is stored and sent. */
export function packResult(
  { observations: parts, runtime }: Omit<ExecutedJob, 'confirmation'>,
  canaries?: CanaryCounts,
): PayloadParts {
  if (!parts.every((part) => 'inline' in part))
    return {
      object: {
        observations: { list: parts },
        runtime: { inline: runtime },
        ...(canaries && { canaries: { inline: canaries } }),
      },
    }
  const observations = parts.map(({ inline }) => inline as Observation)
  return {
    inline: toJson({ observations, runtime, ...(canaries && { canaries }) } satisfies ExecutionResult),
  }
}

const getLacking = ({ ending }: Observation) =>
  ending.status === 'infrastructure' && ending.lacks ? ending.reason : undefined
/** No machine here has the memory that the run asked for: a limit of the run, like any other. */
const reportMissingMemory = (observation: Observation, detail: string): Observation => ({
  ...observation,
  ending: { status: 'killed', by: 'memory', detail },
  faults: [],
})

const assignSeeds = (inputs: ExecutionInput[], seeds: readonly string[] = []): RunInput[] =>
  inputs.map((input, index) => {
    const seed = seeds[index]
    return seed === undefined ? input : { ...input, seed }
  })
