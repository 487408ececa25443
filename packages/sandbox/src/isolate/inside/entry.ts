/**
 * Everything that is in an isolate before candidate code: made once, kept in a snapshot. What the
 * runner calls is in one global, which it takes out before candidate code starts.
 */
import { candidateFile, defaultName, importName, metaName, reportName } from '../../program/names.ts'
import type { Job } from '../../protocol.ts'
import { console } from './console.ts'
import { begin, fail, finish as end, report, settle } from './end.ts'
import { guardConfig } from './guard-config.ts'
import { bail, type Host, openDoor } from './host.ts'
import { load, namespace, recordWith, setBuiltins } from './modules.ts'
import { env, process } from './process.ts'
import { answer } from './shims/http.ts'
import { clearTimeout, fireTimer, nextTimer, setInterval, setTimeout } from './timers.ts'
import { URL } from './url.ts'
import { URLSearchParams } from './url-search-params.ts'

/** What the runner tells of Node, so that nothing here is missed silently. */
declare const nodeGlobals: readonly string[]
declare const nodeBuiltins: readonly string[]

const define = (name: string, value: unknown, enumerable: boolean) =>
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable })

const queueMicrotask = (callback: () => void) => void Promise.resolve().then(() => callback())
const {
  console: _,
  process: __,
  ...plain
} = { console, process, clearTimeout, clearInterval: clearTimeout, queueMicrotask, setInterval, setTimeout }
for (const [name, value] of Object.entries(plain)) define(name, value, true)
for (const [name, value] of Object.entries({ console, process, URL, URLSearchParams, global: globalThis })) define(name, value, false)
setBuiltins(nodeBuiltins)
// What Node has and this isolate hasn’t: whoever looks is run by a process.
for (const name of nodeGlobals)
  if (!Object.hasOwn(globalThis, name))
    Object.defineProperty(globalThis, name, {
      get: () => bail(name),
      set: (value) => define(name, value, true),
      configurable: true,
      enumerable: false,
    })

export interface Start {
  variables: Record<string, unknown>
  baseUrl: string | null
  resultBytes: number
  capture?: Job['capture']
  env: Record<string, string>
}

/** Defines the globals of a run. */
function start(host: Host, text: string) {
  openDoor(host)
  const { variables, baseUrl, resultBytes, capture, env: given } = JSON.parse(text) as Start
  const recorder = begin(resultBytes, capture ?? null)
  if (recorder) recordWith(recorder)
  Object.assign(env, given, baseUrl !== null && { BASE_URL: baseUrl })
  const hidden = {
    [reportName]: report,
    [importName]: async (name: unknown) => namespace(name),
    [metaName]: { url: `file:///${candidateFile}`, filename: `/${candidateFile}`, dirname: '/' },
    [defaultName]: undefined,
  }
  const module = { exports: {} }
  const globals = {
    ...variables,
    ...(baseUrl !== null && { BASE_URL: baseUrl }),
    RESULT: undefined,
    require: load,
    module,
    exports: module.exports,
    __filename: `/${candidateFile}`,
    __dirname: '/',
  }
  for (const [name, value] of Object.entries(hidden)) define(name, value, false)
  for (const [name, value] of Object.entries(globals)) define(name, value, true)
}

/** Calls the candidate’s code. */
function run(main: () => Promise<unknown>) {
  main.call(globalThis).then(settle, fail)
}

const inside = { start, run, answer, fireTimer, nextTimer, finish: () => end(false), guardConfig }
export type Inside = typeof inside
define('__inside', inside, false)
