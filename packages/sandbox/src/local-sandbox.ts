/**
 * The Sandbox on this machine: each input in a cell of the chosen level, or in a separate jail if the level
 * lacks something.
 */
import type { Language } from '@stateeval/contracts'
import { createGvisor } from './gvisor.ts'
import { createJavascript } from '@stateeval/runtime-javascript'
import {
  findCacheFolder,
  mergeConfirmations,
  type CleanConfirmation,
  defaultLimits,
  type ExceededPreparation,
  type LanguageRuntime,
  type IsolationLevel,
  type PreparedCode,
  chooseStronger,
  computeTmpBytes,
} from '@stateeval/runtime'
import { buildJailCommand, findMissingNetworks, type JailLayer } from '@stateeval/jail'
import {
  choosePython,
  createPython,
  type ExaminedInterpreter,
  describeMissingPython,
} from '@stateeval/runtime-python'
import { createObservation, listPreloads, runInput } from './run-input.ts'
import { gathered, type Sandbox, type SandboxRun, type TakeObservation } from './sandbox.ts'
import { silent, type RunTelemetry } from './telemetry.ts'
import { RunTurns } from './turns.ts'
import type { SandboxWorld } from './world.ts'

export interface LocalSandbox extends Sandbox {
  level: IsolationLevel
  /** Why it has separate jails instead of the warm ones that were wanted. */
  lacksWarm?: string
  /** Versions, level and platform: results of equal fingerprints compare. */
  fingerprint: string
  versions: Readonly<Record<string, string>>
  /** The layers around a jail here, and those that are missing. */
  layers: readonly JailLayer[]
  /** Languages that are not available on this machine, with what to do about it. */
  unavailable: Readonly<Partial<Record<Language, string>>>
  /** Interpreters of Python that were tried for candidates, the chosen one last. */
  interpreters: readonly ExaminedInterpreter[]
  /** Languages in which this world is not available here, with what to do about it. */
  missing(world: SandboxWorld): Readonly<Partial<Record<Language, string>>>
  /** Why programs can’t have this level here, where that is known, with what to do about it. */
  lacksLevel(level: IsolationLevel): string | undefined
  /** Starts what this level needs: undefined where it works here, else why not, with what to do about it. */
  tryLevel(level: IsolationLevel): Promise<string | undefined>
  /** Counts needs that a warm runner does not meet: each such program ran in its own jail. */
  bails(): Record<string, number>
}

export interface LocalOptions {
  /** Default: warm-jail, or process-jail where a warm jail’s programs cannot each have their own network. */
  level?: IsolationLevel
  /** The node binary that candidates get. Default: the one that runs this. */
  node?: string
  /** A folder for the prepared runtime; nobody else may write to it. */
  cache?: string
  /** The interpreter of Python that is tried first. Default: what STATEEVAL_PYTHON names. */
  python?: string
  /** gVisor's binary. Default: what STATEEVAL_RUNSC names, else the runsc on PATH. */
  runsc?: string
  /** Warm runners kept of each kind. */
  maxIdle?: number
  /** False: jails get no control groups, as on a machine where none can be made. */
  groups?: boolean
  /** After so many programs of one owner in a warm jail, a canary runs. */
  canaryEvery?: number
  /** False: as on a machine where processes in a jail can make no namespaces. */
  namespaces?: boolean
  telemetry?: RunTelemetry
}

const maxReasons = 200

/** Prepares the runtimes and probes the machine. Rejects with a remedy if no jail is possible. */
export async function createLocalSandbox({
  level: wantedLevel = 'warm-jail',
  node = process.execPath,
  cache,
  python,
  runsc,
  maxIdle = 2,
  groups = true,
  namespaces = true,
  canaryEvery = 16,
  telemetry = silent,
}: LocalOptions): Promise<LocalSandbox> {
  const lacksWarm =
    wantedLevel !== 'warm-jail' ? undefined : namespaces ? findMissingNetworks() : 'no namespaces'
  const level = lacksWarm === undefined ? wantedLevel : 'process-jail'
  const common = { cache: findCacheFolder(cache), jailed: level !== 'unsafe-process', maxIdle: maxIdle }
  const canaries = {
    every: canaryEvery,
    checked: (problem: string | undefined) => telemetry.canary?.(problem),
  }
  const javascript = await createJavascript({
    node,
    groups,
    ...common,
    canaries,
    ...(level === 'gvisor' && { knownWalls: { jailed: true, machine: true } }),
  })
  const gvisor = createGvisor(runsc, (containers) =>
    javascript.contained(containers, defaultLimits, {
      http: true,
      preload: [],
      surface: null,
      memoryMiB: defaultLimits.memoryMiB,
    }),
  )
  if (level === 'gvisor') await gvisor.open()
  const runtimes = new Map<Language, LanguageRuntime>([['javascript', javascript]])
  const unavailable: Partial<Record<Language, string>> = {}
  const bounds = { tmpBytes: computeTmpBytes(defaultLimits) }
  const { runtime: pythonRuntime, examinations } = await choosePython({
    cache: common.cache,
    walls: javascript.walls,
    commandOf: async (image) =>
      level === 'gvisor'
        ? (await gvisor.open()).command(image, bounds, false)
        : buildJailCommand(image, javascript.walls, bounds),
    python,
  })
  if (pythonRuntime)
    runtimes.set(
      'python',
      createPython({ walls: javascript.walls, maxIdle, canaries, runtime: pythonRuntime }),
    )
  else unavailable.python = describeMissingPython(examinations)
  const bails = new Map<string, number>()
  const boundedTelemetry: RunTelemetry = {
    ...telemetry,
    bailed(what) {
      // Programs choose these words: only so many are kept.
      const key = bails.has(what) || bails.size < maxReasons ? what : 'others'
      bails.set(key, (bails.get(key) ?? 0) + 1)
      telemetry.bailed(what)
    },
  }
  const turns = new RunTurns()
  const closing = new AbortController()
  const runs = new Set<Promise<unknown>>()

  /** None of the inputs can run, because of us. */
  async function spoil({ inputs }: SandboxRun, take: TakeObservation, reason: string, at = level) {
    for (const index of inputs.keys())
      await take(createObservation({ status: 'infrastructure', reason: reason.slice(0, 2000) }, at), index)
    return mergeConfirmations([])
  }

  async function runInputs(
    runtime: LanguageRuntime,
    program: SandboxRun,
    signal: AbortSignal,
    take: TakeObservation,
  ) {
    const { code, inputs, world, limits, level: wantedLevel, owner = '' } = program
    const runLevel = chooseStronger(wantedLevel ?? level, level)
    const containers =
      runLevel === 'gvisor' ? await gvisor.open().catch((error: unknown) => error as Error) : undefined
    if (containers instanceof Error) return spoil(program, take, containers.message, runLevel)
    const confirmations: CleanConfirmation[] = []
    // Inputs of a test case have the same names, so their code is prepared once.
    const preparedByNames = new Map<string, PreparedCode | ExceededPreparation>()
    for (const [index, input] of inputs.entries()) {
      signal.throwIfAborted()
      const names = [...Object.keys(input.variables), 'BASE_URL']
      const prepared = preparedByNames.get(names.join()) ?? (await runtime.prepare(code, names, limits))
      preparedByNames.set(names.join(), prepared)
      if (prepared.status === 'refused') await take(createObservation(prepared, level), index)
      else if (prepared.status === 'exceeded') await take(createObservation(prepared.ending, level), index)
      else {
        const ran = await runInput({
          runtime,
          level: runLevel,
          containers,
          prepared,
          input,
          world,
          limits,
          owner,
          signal,
          turns,
          telemetry: boundedTelemetry,
        })
        if (ran.confirmation) confirmations.push(ran.confirmation)
        await take(ran.observation, index)
      }
    }
    return mergeConfirmations(confirmations)
  }

  const lacksLevel = (wantedLevel: IsolationLevel) =>
    chooseStronger(wantedLevel, level) === 'gvisor' ? gvisor.lacks : undefined

  const each: Sandbox['each'] = async (program, signal, take) => {
    const { language, world } = program
    const runtime = runtimes.get(language)
    if (!runtime)
      return spoil(
        program,
        take,
        `this sandbox has no runtime for ${language}: ${unavailable[language] ?? 'no such language'}`,
      )
    const lacks = runtime.lacks(listPreloads(world, language))
    if (lacks !== undefined)
      return spoil(program, take, `this sandbox cannot run ${language} in the world ${world.id}: ${lacks}`)
    const why = lacksLevel(program.level ?? level)
    if (why !== undefined) return spoil(program, take, why)
    const work = runInputs(runtime, program, AbortSignal.any([signal, closing.signal]), take)
    runs.add(work)
    return work.finally(() => runs.delete(work))
  }

  return {
    level,
    ...(lacksWarm !== undefined && { lacksWarm }),
    lacksLevel,
    async tryLevel(wanted) {
      if (wanted === 'warm-jail' && lacksWarm !== undefined) return lacksWarm
      if (wanted !== 'gvisor')
        return level === 'unsafe-process' && wanted !== level
          ? 'Not tried: this sandbox has no jails.'
          : undefined
      return gvisor.open().then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      )
    },
    languages: [...runtimes.keys()],
    layers: level === 'gvisor' ? gvisor.layers() : (javascript.walls.layers ?? []),
    unavailable,
    interpreters: examinations,
    missing: (world) =>
      Object.fromEntries(
        [...runtimes.values()].flatMap((runtime) => {
          const lacks = runtime.lacks(listPreloads(world, runtime.language))
          return lacks === undefined ? [] : [[runtime.language, lacks]]
        }),
      ),
    bails: () => Object.fromEntries(bails),
    versions: Object.assign({}, ...[...runtimes.values()].map(({ versions }) => versions)) as Record<
      string,
      string
    >,
    fingerprint: computeFingerprint(level, [...runtimes.values()]),
    each,
    run: gathered(each),
    async close() {
      closing.abort(new Error('the sandbox is closed'))
      await Promise.allSettled(runs)
      await Promise.all([...runtimes.values()].map((runtime) => runtime.close()))
      await gvisor.close()
    },
  }
}

const computeFingerprint = (level: IsolationLevel, runtimes: readonly LanguageRuntime[]) =>
  [
    level,
    ...runtimes.flatMap(({ versions, fingerprint }) => [
      ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
      fingerprint,
    ]),
    `${process.platform}-${process.arch}`,
  ].join(' ')
