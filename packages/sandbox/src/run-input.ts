/** One input: a fresh world, a cell, and the observation. */
import { createHash, randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { ExecutionEnding, JsonValue, Language, ExecutionLimits, Observation } from '@stateeval/contracts'
import type {
  ProgramCell,
  CellEnd,
  CleanConfirmation,
  HandleCall,
  InputJob,
  LanguageRuntime,
  IsolationLevel,
  PreparedCode,
  RunnerPart,
} from '@stateeval/runtime'
import { markBegun } from './attribution.ts'
import { findEnding, isKilledByOthers } from './ending.ts'
import type { ContainerStarter } from '@stateeval/jail'
import { LackOfMemory } from './lack-of-memory.ts'
import type { RunInput } from './sandbox.ts'
import type { RunPhase, RunTelemetry } from './telemetry.ts'
import type { RunTurns } from './turns.ts'
import type { WorldChannel, OpenWorld, SandboxWorld, WorldObservation } from './world.ts'

/** A run that computed for this part of its time was not kept waiting. */
const busyShare = 0.5

interface InputRun {
  runtime: LanguageRuntime
  level: IsolationLevel
  /** There at the level of gVisor. */
  containers: ContainerStarter | undefined
  prepared: Extract<PreparedCode, { status: 'ready' }>
  input: RunInput
  world: SandboxWorld
  limits: ExecutionLimits
  owner: string
  signal: AbortSignal
  turns: RunTurns
  telemetry: RunTelemetry
}

type SeededRun = InputRun & { seed: string }

/** The record of one run, with further facts about it. */
interface RunRecord {
  observation: Observation
  bail: string | null
  /** Its code ran, so that it may have brought its failure about. */
  isBegun: boolean
  /** The wall clock ended it, and it had used little CPU time: it waited, or it was kept waiting. */
  idle: boolean
  /** It ended by SIGKILL, which nobody here sent: it killed itself, or somebody on this machine did. */
  isKilledByOthers: boolean
  /** Confirms whether a warm jail was clean. */
  confirmation?: CleanConfirmation
}
type ReportedRun = Pick<RunRecord, 'observation' | 'confirmation'>

/** Rejects only when aborted, after everything is closed. */
export async function runInput(inputRun: InputRun): Promise<ReportedRun> {
  // Whatever is repeated below happens in the same world.
  const seed = inputRun.input.seed ?? randomBytes(16).toString('hex')
  const run: SeededRun = { ...inputRun, seed }
  const { value: first, crowded } = await run.turns.shared(() => runAtLevel(run), run.signal)
  // A verdict must not depend on how busy the machine was: beside nobody, it shows whether the code or the
  // machine was slow.
  if (!first.idle || !crowded) return reportRun(run, first)
  run.telemetry.repeated()
  return reportRun(run, await run.turns.alone(() => runAtLevel(run), run.signal))
}

function reportRun(
  { telemetry, runtime, seed }: SeededRun,
  { observation, isBegun, confirmation }: RunRecord,
): ReportedRun {
  telemetry.ended(observation.ending.status, observation.sandbox as IsolationLevel, runtime.language)
  const seeded = { ...observation, seed }
  return {
    observation: isBegun ? markBegun(seeded) : seeded,
    ...(confirmation && { confirmation }),
  }
}

async function runAtLevel(run: SeededRun): Promise<RunRecord> {
  if (run.level === 'gvisor') return runAlone('contained', run)
  if (run.level !== 'warm-jail') return runAlone('single', run)
  const warm = await runWithLevel('warm', run)
  if (warm.bail === null) return warm
  // A program that needs more than a warm runner has runs again from the start, in a fresh world.
  run.telemetry.bailed(warm.bail)
  return runAlone('single', run)
}

/**
 * Runs a program, and runs it again after a kill from outside: a program that kills itself does so again; one
 * killed by an operator or for the system's memory gets the verdict of its code.
 */
async function runAlone(kind: 'contained' | 'single', run: SeededRun): Promise<RunRecord> {
  const first = await runWithLevel(kind, run)
  if (!first.isKilledByOthers) return first
  run.telemetry.repeated()
  return runWithLevel(kind, run)
}

async function runWithLevel(kind: 'contained' | 'single' | 'warm', run: SeededRun): Promise<RunRecord> {
  const { runtime, world, limits, owner, signal, input, prepared, seed, telemetry } = run
  const startTime = performance.now()
  const timed = async <T>(phase: RunPhase, work: () => Promise<T>): Promise<T> => {
    const from = performance.now()
    const value = await work()
    telemetry.phase(phase, runtime.language, performance.now() - from)
    return value
  }
  let open: OpenWorld | undefined
  let cell: ProgramCell | undefined
  let isBegun = false
  try {
    const openedWorld = await timed('world', () => world.open(input.world as JsonValue, limits, seed))
    open = openedWorld
    signal.throwIfAborted()
    const { channel } = openedWorld
    const http = channel.kind === 'http'
    const surface = getSurface(channel, runtime.language)
    const { memoryMiB } = limits
    const needs = { http, preload: listPreloads(world, runtime.language), surface, memoryMiB }
    const place = await timed('cell', () =>
      kind === 'warm'
        ? runtime.warm(needs, owner)
        : kind === 'single'
          ? runtime.single(limits, needs)
          : runtime.contained(run.containers!, limits, needs),
    )
    cell = place
    const { source, columnOffset } = prepared
    const job = {
      source,
      columnOffset,
      variables: input.variables,
      resultBytes: limits.resultKiB * 1024,
      capture: selectCapture(channel, limits),
      surface,
    }
    const startedAt = performance.now()
    const accept = http ? (connection: Duplex) => channel.accept(connection) : undefined
    const trouble: WorldFailure = { faults: [] }
    const handle = channel.kind === 'calls' ? answerSafely(channel, trouble) : undefined
    isBegun = true
    const end = await timed('program', () => place.run({ job, limits, accept, handle, signal }))
    const wallMs = performance.now() - startedAt
    telemetry.used?.(end.cpuMs, place.level, runtime.language)
    for (const [part, ms] of Object.entries(end.parts ?? {}))
      telemetry.part?.(part as RunnerPart, runtime.language, Math.min(ms, wallMs))
    signal.throwIfAborted()
    if (channel.kind === 'capture' && end.reading.kind === 'outcome') channel.take(end.reading.requests)
    const observed = await timed('observe', () =>
      observe(end, openedWorld, place.level, limits, wallMs, trouble),
    )
    const isLate = end.killed === 'wall' || isWallTimeout(observed.ending)
    return {
      observation: observed,
      bail: end.killed ? null : end.bail,
      isBegun,
      idle: isLate && end.cpuMs < limits.wallMs * busyShare,
      isKilledByOthers: isKilledByOthers(end),
      ...(place.confirmation && { confirmation: place.confirmation }),
    }
  } catch (error) {
    signal.throwIfAborted()
    const reason =
      `${open ? 'the sandbox' : 'the world'} failed: ${error instanceof Error ? error.message : String(error)}`.slice(
        0,
        2000,
      )
    const level = cell?.level ?? run.level
    return {
      observation: {
        ...createObservation(
          { status: 'infrastructure', reason, ...getLack(error) },
          level,
          performance.now() - startTime,
        ),
        faults: [reason],
      },
      bail: null,
      isBegun,
      idle: false,
      isKilledByOthers: false,
    }
  } finally {
    await timed('close', async () => {
      await cell?.release()
      await open?.close().catch(() => {})
    })
  }
}

export const listPreloads = ({ preloads }: SandboxWorld, language: Language): readonly string[] =>
  (language === 'python' ? preloads?.python : undefined) ?? []

/** A world's failure while it answered the code. */
interface WorldFailure {
  faults: string[]
  lacks?: 'memory'
}
const getLack = (error: unknown): Pick<WorldFailure, 'lacks'> =>
  error instanceof LackOfMemory ? { lacks: 'memory' } : {}

/** A world that can’t answer is at fault, whatever the code asked for. */
function answerSafely(channel: Extract<WorldChannel, { kind: 'calls' }>, trouble: WorldFailure): HandleCall {
  return async (name, args) => {
    try {
      return await channel.handle(name, args)
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error)
      trouble.faults.push(`the call ${name}: ${says}`.slice(0, 1000))
      Object.assign(trouble, getLack(error))
      return { ok: false, error: { name: 'Error', message: 'The world failed' } }
    }
  }
}

/** Texts are known by their hash, which is made once for each. */
const keys = new WeakMap<object, string>()
function getSurface(channel: WorldChannel, language: Language): InputJob['surface'] {
  const text = channel.kind === 'calls' ? channel.surface[language] : undefined
  if (!text) return null
  const key = keys.get(text) ?? createHash('sha256').update(text.source).digest('hex').slice(0, 16)
  keys.set(text, key)
  return { key, source: text.source }
}

const selectCapture = (channel: WorldChannel, { requests }: ExecutionLimits) =>
  channel.kind === 'capture'
    ? {
        ...channel.reply,
        maxRequests: requests,
        ...(channel.files && { files: channel.files }),
        ...(channel.fetch && { fetch: true as const }),
      }
    : null

/** The world of a run that bails is not observed: such a run does not count. */
async function observe(
  end: CellEnd,
  open: OpenWorld,
  level: IsolationLevel,
  limits: ExecutionLimits,
  wallMs: number,
  { faults, ...lacking }: WorldFailure,
): Promise<Observation> {
  const ending = findEnding(end, limits, level)
  if (end.bail !== null && !end.killed) return createObservation(ending, level, wallMs)
  const worldObservation = await open.observe()
  return {
    ...createObservation(ending, level, wallMs),
    output: end.output,
    ...judgeEndings(
      ending,
      { ...worldObservation, faults: [...faults, ...worldObservation.faults] },
      lacking,
      limits,
    ),
  }
}

/**
 * A fault of the world counts before anything that the code did; too many requests count before what it then
 * returned.
 */
function judgeEndings(
  ending: ExecutionEnding,
  { world, log, faults, exceeded, tensors }: WorldObservation,
  lacking: Pick<WorldFailure, 'lacks'>,
  limits: ExecutionLimits,
): Pick<Observation, 'ending' | 'world' | 'log' | 'faults' | 'tensors'> {
  const computed = tensors && { tensors }
  if (faults.length > 0)
    return {
      ending: {
        status: 'infrastructure',
        reason: `the world failed: ${faults.join('; ')}`.slice(0, 2000),
        ...lacking,
      },
      world,
      log,
      faults,
      ...computed,
    }
  return {
    ending: exceeded ? getExceededEnding(exceeded, ending, limits) : ending,
    world,
    log,
    faults,
    ...computed,
  }
}

const isWallTimeout = (ending: ExecutionEnding) => ending.status === 'timeout' && ending.limit === 'wall'

/** Code that was ended or failed by itself ended so, whatever was still under way. */
function getExceededEnding(
  exceeded: NonNullable<WorldObservation['exceeded']>,
  ending: ExecutionEnding,
  { wallMs }: ExecutionLimits,
): ExecutionEnding {
  if (exceeded === 'requests') return { status: 'killed', by: 'requests' }
  return ending.status === 'completed' || ending.status === 'no_result'
    ? { status: 'timeout', limit: 'wall', afterMs: wallMs }
    : ending
}

/** An observation with only its ending. */
export const createObservation = (
  ending: ExecutionEnding,
  level: IsolationLevel,
  wallMs = 0,
): Observation => ({
  ending,
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: Math.round(wallMs * 10) / 10,
  sandbox: level,
})
