/** One input: a fresh world, a fresh jail, and the observation of what came out. */
import type { Ending, Input, Json, Limits, Observation } from '@stateeval/contracts'
import { endingOf } from './ending.ts'
import type { Variant } from './jail/command.ts'
import { Jail, type JailEnd } from './jail/jail.ts'
import type { Prepared } from './program/prepare.ts'
import type { Runtime } from './runtime.ts'
import type { OpenWorld, World, WorldObservation } from './world.ts'

export interface InputRun {
  runtime: Runtime
  variant: Variant
  prepared: Extract<Prepared, { status: 'ready' }>
  input: Input
  world: World
  limits: Limits
  signal: AbortSignal
}

/** How long connections may take to be read to their end after the code ended, in milliseconds. */
const graceMs = 5000

/** Rejects only when aborted, after everything is closed. */
export async function runInput(run: InputRun): Promise<Observation> {
  const { runtime, variant, world, limits, signal, input } = run
  const begun = performance.now()
  let open: OpenWorld | undefined
  let jail: Jail | undefined
  const abort = () => jail?.kill('aborted')
  signal.addEventListener('abort', abort)
  try {
    open = await world.open(input.world as Json, limits)
    signal.throwIfAborted()
    jail = new Jail(runtime, variant, limits, open.channel.kind === 'http')
    await jail.ready()
    const startedAt = performance.now()
    const end = await live(jail, run, open)
    const wallMs = performance.now() - startedAt
    signal.throwIfAborted()
    await jail.closeConnections(end.killed ? 0 : graceMs)
    const seen = await open.observe()
    return { ...observation(endingOf(end, limits), variant, wallMs), output: end.output, ...judged(endingOf(end, limits), seen) }
  } catch (error) {
    signal.throwIfAborted()
    const reason = `${open ? 'the sandbox' : 'the world'} failed: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2000)
    return { ...observation({ status: 'infrastructure', reason }, variant, performance.now() - begun), faults: [reason] }
  } finally {
    signal.removeEventListener('abort', abort)
    await jail?.closeConnections(0)
    await open?.close().catch(() => {})
  }
}

async function live(jail: Jail, { prepared, input, limits }: InputRun, open: OpenWorld): Promise<JailEnd> {
  const { channel } = open
  const http = channel.kind === 'http'
  jail.start(
    {
      source: prepared.source,
      columnOffset: prepared.columnOffset,
      variables: input.variables,
      baseUrl: http ? `http://127.0.0.1:${jail.port}` : null,
      resultBytes: limits.resultKiB * 1024,
    },
    http ? (connection) => channel.accept(connection) : undefined,
  )
  return await jail.ended
}

/** A fault of the world counts before anything that the code did; too many requests count before what it then returned. */
function judged(
  ending: Ending,
  { world, log, faults, exceeded }: WorldObservation,
): Pick<Observation, 'ending' | 'world' | 'log' | 'faults'> {
  if (faults.length > 0)
    return { ending: { status: 'infrastructure', reason: `the world failed: ${faults.join('; ')}`.slice(0, 2000) }, world, log, faults }
  return { ending: exceeded ? { status: 'killed', by: exceeded } : ending, world, log, faults }
}

/** An observation of which no more is known than how it ended. */
export const observation = (ending: Ending, { level }: Variant, wallMs = 0): Observation => ({
  ending,
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: Math.round(wallMs * 10) / 10,
  sandbox: level,
})
