/** Runs a list of calls against a world's tools. The observation equals that of code, without any code. */
import { setImmediate } from 'node:timers/promises'
import type {
  CallsExecutionRequest,
  ExecutionEnding,
  JsonValue,
  JsonObject,
  ExecutionLimits,
  ListedCall,
  ModelTool,
  Observation,
} from '@stateeval/contracts'
import {
  attributeRuns,
  computeExchangedBytes,
  markBegun,
  type OpenWorld,
  type RunInput,
  isServing,
  type TakeObservation,
  type SandboxWorld,
} from '@stateeval/sandbox'
import { getErrorText, drawRandomHex } from '@stateeval/service-kit'
import { buildObservation } from '../observation.ts'
import { parseToolArguments, limitCallTime, LateCall } from '../sessions/call.ts'
import { resolveResult } from '../sessions/observed.ts'
import { stripLabelMarks, resolve, type ReferenceScope, measureJson } from './references.ts'

interface CallsRun extends Pick<CallsExecutionRequest, 'calls' | 'binding'> {
  world: SandboxWorld
  inputs: readonly RunInput[]
  limits: ExecutionLimits
}

/** Runs the list on one input after another; `take` gets each observation. */
export const runCallsOnInputs = (run: CallsRun, signal: AbortSignal, take: TakeObservation): Promise<void> =>
  attributeRuns(
    {
      inputs: run.inputs.length,
      async run(indices, takeOne) {
        for (const index of indices) {
          signal.throwIfAborted()
          await takeOne(await observeCalls(run, run.inputs[index]!, signal), index)
        }
      },
      isSound: () => isServing(run.world),
    },
    take,
  )

async function observeCalls(run: CallsRun, input: RunInput, signal: AbortSignal): Promise<Observation> {
  const seed = input.seed ?? drawRandomHex(16)
  const startedAt = performance.now()
  const took = () => performance.now() - startedAt
  let open: OpenWorld | undefined
  try {
    open = await run.world.open(input.world as JsonValue, run.limits, seed)
    const ending = await runCallsToEnd(run, input, open, signal)
    const snapshot = await open.observe()
    if (snapshot.faults.length > 0) throw new Error(snapshot.faults.join('; '))
    return buildObservation(ending, { seed, ms: took(), snapshot })
  } catch (error) {
    signal.throwIfAborted()
    const reason = `the world failed: ${getErrorText(error)}`.slice(0, 2000)
    const failed = buildObservation({ status: 'infrastructure', reason }, { seed, ms: took() }, [reason])
    return open ? markBegun(failed) : failed
  } finally {
    await open?.close().catch(() => undefined)
  }
}

/** Makes the calls until one fails. Rejects where the world fails. */
async function runCallsToEnd(
  { calls, binding, world, limits }: CallsRun,
  { variables }: RunInput,
  open: OpenWorld,
  signal: AbortSignal,
): Promise<ExecutionEnding> {
  const values = variables as Readonly<Record<string, JsonValue>>
  const scope = new Map(Object.entries((await open.take?.(values)) ?? values))
  const tools = new Map(world.tools!().map((tool) => [tool.name, tool]))
  const results: JsonValue[] = []
  const until = performance.now() + limits.wallMs
  const late: ExecutionEnding = { status: 'timeout', limit: 'wall', afterMs: limits.wallMs }
  const maxSent = computeExchangedBytes(limits)
  let [sent, bytes] = [0, 0]
  for (const [at, call] of calls.entries()) {
    // Tools that compute in this process would leave no turn to anything else, and no timer would end them.
    await setImmediate()
    signal.throwIfAborted()
    if (performance.now() > until) return late
    if (at >= limits.requests) return { status: 'killed', by: 'requests' }
    const failed = (name: string, message: string): ExecutionEnding => {
      const where = `call ${at + 1} (${call.name.slice(0, 60)})`
      return { status: 'threw', error: { name, message: `${where}: ${message}`.slice(0, 4000) } }
    }
    let args: JsonObject
    try {
      args = bindArguments(call, binding, tools.get(call.name), scope)
    } catch (error) {
      return failed((error as Error).name, (error as Error).message)
    }
    sent += measureJson(args, maxSent - sent)
    if (sent > maxSent) return { status: 'killed', by: 'requests' }
    try {
      const { content, error } = await limitCallTime(
        open.call!(call.name, args),
        Math.max(1, until - performance.now()),
      )
      if (error) return failed('CallError', content)
      bytes += Buffer.byteLength(content)
      if (bytes > limits.resultKiB * 1024) return { status: 'killed', by: 'result' }
      const value = parseToolContent(content)
      results.push(value)
      if (call.label !== undefined) scope.set(stripLabelMarks(call.label), value)
    } catch (error) {
      if (error instanceof LateCall) return late
      throw error
    }
  }
  return resolveResult(open, results)
}

/** The arguments as the tool takes them. Throws an error in the answer's terms. */
function bindArguments(
  call: ListedCall,
  binding: CallsExecutionRequest['binding'],
  tool: ModelTool | undefined,
  scope: ReferenceScope,
): JsonObject {
  const args = parseToolArguments(call)
  if (typeof args === 'string') throw new SyntaxError(args)
  const resolved = resolve(args, scope) as JsonObject
  if (binding === 'name' || !tool) return resolved
  const parameters = Object.keys((tool.parameters?.['properties'] as object | undefined) ?? {})
  const values = Object.values(resolved)
  if (values.length > parameters.length)
    throw new TypeError(`it takes at most ${parameters.length} arguments, but got ${values.length}`)
  return Object.fromEntries(values.map((value, at) => [parameters[at], value])) as JsonObject
}

/** Parses a call's output: JSON, or else the text; null where it is empty. */
function parseToolContent(content: string): JsonValue {
  if (content === '') return null
  try {
    return JSON.parse(content) as JsonValue
  } catch {
    return content
  }
}
