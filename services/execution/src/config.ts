/** Names → flat typed environment → nested frozen config. */
import { readOwnLimits } from '@stateeval/jail'
import { defaultLimits, type IsolationLevel, levels, type WorldHost } from '@stateeval/sandbox'
import { worldSettings } from '@stateeval/scenarios/backends'
import {
  buildBaseConfig,
  baseSettings,
  freezeConfig,
  defineSettings,
  type ProcessEnvironment,
  readSettings,
} from '@stateeval/service-kit'

const tensorChoices = ['also', 'only', 'none'] as const

export const settings = defineSettings({
  ...baseSettings,
  ...worldSettings,
  STATEEVAL_SANDBOX: {
    type: 'string',
    default: 'warm-jail',
    choices: [...levels],
    doc: 'How candidate code is isolated; docs/security.md compares the levels. unsafe-process does not isolate',
  },
  STATEEVAL_SANDBOX_CACHE: {
    type: 'string',
    optional: true,
    doc: 'Folder for the sandbox’s prepared runtime, writable by the service only. Default: a folder in the system’s temporary directory',
  },
  STATEEVAL_PYTHON: {
    type: 'string',
    optional: true,
    doc: 'The Python interpreter to try first for candidates, with requests, and torch for tensors. Then: python3 on PATH, /usr/bin/python3',
  },
  STATEEVAL_RUNSC: {
    type: 'string',
    optional: true,
    doc: 'gVisor’s binary, for the level gvisor of STATEEVAL_SANDBOX or of a request. Default: the first runsc on PATH',
  },
  STATEEVAL_CANARY_EVERY: {
    type: 'integer',
    default: 16,
    min: 1,
    doc: 'After this many programs of one project in a warm jail, a canary checks the jail. Between two projects it always does',
  },
  STATEEVAL_TENSOR_PROGRAMS: {
    type: 'string',
    default: 'also',
    choices: [...tensorChoices],
    doc: 'Whether a replica takes programs with tensors from the queue: also, besides others; only; or none, where replicas with a GPU take them',
  },
  STATEEVAL_QUEUE: {
    type: 'integer',
    default: 10_000,
    min: 1,
    doc: 'Maximum number of waiting programs over HTTP; beyond that, the response is 503 with Retry-After',
  },
  STATEEVAL_SESSION_WORLDS: {
    type: 'integer',
    default: 96,
    min: 1,
    max: 1000,
    doc: 'Maximum number of worlds of tool sessions that a process keeps open. Beyond that, it closes the longest idle one and replays it when needed',
  },
  STATEEVAL_SESSION_IDLE_SECONDS: {
    type: 'integer',
    default: 60,
    min: 1,
    max: 86_400,
    doc: 'Seconds for which the world of a tool session stays open without a call; the next call replays it',
  },
})

/** Memory of this service besides the programs, and of a spare runner of each kind without torch. */
const ownMiB = 800
/**
 * Memory of the warm runners that wait for each place: JavaScript with HTTP, without, with the functions of
 * voices and of tensors 62 MiB each, Python 26 each, Python with torch 128 (measured as their own memory).
 */
const runnersMiB = 430
/** Processes of a jail without a program in it, and of this service. */
const ownProcesses = 64

/** The resources of this machine for programs. */
export function measureRoom({ cpus, memoryBytes, pids } = readOwnLimits()) {
  const memoryMiB = Math.max(defaultLimits.memoryMiB, Math.floor(memoryBytes / 2 ** 20) - ownMiB)
  // One program for each core, as long as there is memory for each: more at a time only slow each other down.
  const byMemory = Math.floor(memoryMiB / (defaultLimits.memoryMiB + runnersMiB))
  return {
    places: Math.max(1, Math.min(Math.ceil(cpus), byMemory)),
    /** Memory limit of a single program. */
    memoryMiB: Math.max(defaultLimits.memoryMiB, memoryMiB - runnersMiB),
    processes: Math.max(defaultLimits.processes, pids - ownProcesses),
  }
}

/** Jobs that a process holds for each place: one runs, the others wait for a place or for a canary. */
export const jobsOfPlace = 8

export function readConfig(env: ProcessEnvironment) {
  const values = readSettings(settings, env)
  const base = buildBaseConfig('execution', values)
  const { places, ...maxLimits } = measureRoom()
  const concurrency = base.worker.concurrency ?? places
  return freezeConfig({
    ...base,
    worker: { ...base.worker, concurrency: concurrency * jobsOfPlace },
    queue: values.STATEEVAL_QUEUE,
    tensorPrograms: values.STATEEVAL_TENSOR_PROGRAMS as (typeof tensorChoices)[number],
    /** More than this no program may ask for. */
    maxLimits,
    sandbox: {
      level: values.STATEEVAL_SANDBOX as IsolationLevel,
      concurrency,
      canaryEvery: values.STATEEVAL_CANARY_EVERY,
      placeMiB: Math.max(defaultLimits.memoryMiB, Math.floor(maxLimits.memoryMiB / concurrency)),
      ...(values.STATEEVAL_PYTHON !== undefined && { python: values.STATEEVAL_PYTHON }),
      ...(values.STATEEVAL_RUNSC !== undefined && { runsc: values.STATEEVAL_RUNSC }),
      ...(values.STATEEVAL_SANDBOX_CACHE !== undefined && { cache: values.STATEEVAL_SANDBOX_CACHE }),
    },
    /** Settings of tool sessions. */
    sessions: {
      maxOpen: values.STATEEVAL_SESSION_WORLDS,
      idleMs: values.STATEEVAL_SESSION_IDLE_SECONDS * 1000,
    },
    /** Settings of worlds. */
    worlds: {
      mongodb: base.mongo.uri,
      namespace: base.namespace,
      concurrency: concurrency + values.STATEEVAL_SESSION_WORLDS,
      settings: readSettings(worldSettings, env),
    } satisfies WorldHost,
  })
}
export type ExecutionConfig = ReturnType<typeof readConfig>
