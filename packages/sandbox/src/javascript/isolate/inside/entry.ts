/**
 * The content of an isolate before candidate code: created once, stored in a snapshot. The functions for
 * the runner are in one global, which the runner removes before candidate code starts.
 */
import { candidateGlobals, candidateMeta } from '../../program/candidate-globals.ts'
import { defaultName, importName, metaName, reportName } from '../../program/names.ts'
import type { Job } from '../../../protocol.ts'
import { console } from './console.ts'
import { begin, fail, finish as end, report, settle } from './end.ts'
import { guardConfig } from './guard-config.ts'
import { expectProxies } from './plain.ts'
import { bail, type Host, openDoor } from './host.ts'
import { load, namespace, recordWith, setBuiltins } from './modules.ts'
import { performance } from './performance.ts'
import { environment, process } from './process.ts'
import { answer } from './shims/http.ts'
import { reply, surround as surroundWith } from './surface.ts'
import type { SurfaceModule } from '../../runner/surface.ts'
import { hideStack, keepFrames } from './stack.ts'
import { structuredClone } from './structured-clone.ts'
import { clearTimeout, fireTimer, nextTimer, setInterval, setTimeout } from './timers.ts'
import { URL } from './url.ts'
import { URLSearchParams } from './url-search-params.ts'

/**
 * What the runner tells of Node, so that nothing here is missed silently: names of globals, the enumerable
 * ones with a plus, and of modules.
 */
declare const nodeGlobals: string
declare const nodeBuiltins: string

const define = (name: string, value: unknown, enumerable: boolean) =>
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable })

const queueMicrotask = (callback: () => void) =>
  typeof callback === 'function'
    ? void Promise.resolve().then(() => callback())
    : bail('queueMicrotask without a function')
const here: Record<string, unknown> = {
  ...{ console, process, URL, URLSearchParams, global: globalThis },
  ...{
    clearTimeout,
    clearInterval: clearTimeout,
    queueMicrotask,
    setInterval,
    setTimeout,
    structuredClone,
    performance,
  },
}
setBuiltins(nodeBuiltins.split(' '))
// In Node’s order. What Node has and this isolate hasn’t: whoever looks is run by a process.
for (const entry of nodeGlobals.split(' ')) {
  const enumerable = entry.startsWith('+')
  const name = enumerable ? entry.slice(1) : entry
  if (name in here) define(name, here[name], enumerable)
  else if (!Object.hasOwn(globalThis, name))
    Object.defineProperty(globalThis, name, {
      get: () => bail(name),
      set: (value) => define(name, value, true),
      configurable: true,
      enumerable,
    })
}

export interface Start {
  variables: Record<string, unknown>
  baseUrl: string | null
  resultBytes: number
  capture?: Job['capture']
  env: Record<string, string>
  /** Whether the program’s text names Proxy: without, it makes none. */
  proxies: boolean
}

let currentStart: Start | undefined

/** Defines the globals of a run. */
function start(host: Host, text: string) {
  openDoor(host)
  currentStart = JSON.parse(text) as Start
  const { baseUrl, resultBytes, capture, env: givenEnv, proxies } = currentStart
  expectProxies(proxies)
  const recorder = begin(resultBytes, capture ?? null)
  if (recorder) recordWith(recorder)
  Object.assign(environment, givenEnv, baseUrl !== null && { BASE_URL: baseUrl })
  const hidden = {
    [reportName]: report,
    [importName]: async (name: unknown) => namespace(name),
    [metaName]: candidateMeta(),
    [defaultName]: undefined,
  }
  keepFrames()
  for (const [name, value] of Object.entries(hidden)) define(name, value, false)
  for (const [name, value] of Object.entries(candidateGlobals(currentStart, load))) define(name, value, true)
}

/** Between start and run: what stands between the host’s functions and the code. */
function surround(load: SurfaceModule) {
  surroundWith(load, currentStart!.variables, currentStart!.resultBytes, (name, value) =>
    define(name, value, true),
  )
}

/** Calls the candidate’s code. */
function run(main: () => Promise<unknown>) {
  main.call(globalThis).then(settle, fail)
}

const inside = {
  start,
  surround,
  run,
  answer,
  reply,
  fireTimer,
  nextTimer,
  finish: () => end(false),
  guardConfig,
  hideStack,
}
export type Inside = typeof inside
define('__inside', inside, false)
