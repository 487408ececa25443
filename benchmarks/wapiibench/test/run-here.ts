/**
 * Runs trusted programs in this process with the sandbox's own recorder: as fast as scoring is, so that tests
 * may have thousands.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { JsonValue, Observation } from '@stateeval/contracts'
import { withFiles } from '../../../packages/runtime-javascript/src/runner/files.ts'
import { type AxiosParts, RequestRecorder } from '../../../packages/runtime-javascript/src/runner/recorder.ts'

const here = createRequire(import.meta.url)
const axios = here('axios') as AxiosParts & { create(): AxiosParts }
const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>

const observation = (ending: Observation['ending'], requests: JsonValue): Observation => ({
  ending,
  world: { state: { requests }, ids: { initial: [], created: [] }, gone: [] },
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: 'here',
})
const quiet = { log: () => undefined, error: () => undefined }

/** A module's imports and exports as a script has them: enough for what tests write. */
const asScript = (code: string) =>
  code
    .replace(/^import (\w+) from 'axios'/m, "const $1 = require('axios')")
    .replace(/^export default (?=(async\s+)?(function|class)\s+\w)/gm, '')
    .replace(/^export default /gm, ';0, ')
    .replace(/^export \{.*$/gm, '')
    .replace(/^export /gm, '')

/** @param files the program can read them by name */
export async function runHere(
  code: string,
  files: Readonly<Record<string, string>> = {},
  isFetchCaptured = false,
): Promise<Observation> {
  const instance = axios.create() as AxiosParts & { default?: unknown }
  instance.default = instance
  const recorder = new RequestRecorder(
    { reply: { status: 200 }, maxRequests: 100, bytes: 1e6 },
    () => undefined,
  )
  recorder.attach(instance)
  const scope: { fetch: unknown } = { fetch }
  if (isFetchCaptured) recorder.attachFetch(scope)
  const requests = () => (JSON.parse(recorder.added('{"x":1}')) as { requests?: JsonValue }).requests ?? []
  try {
    const program = new AsyncFunction('require', 'console', 'module', 'exports', 'fetch', asScript(code))
    const module = { exports: {} }
    const given: Readonly<Record<string, unknown>> = { axios: instance, fs: withFiles(fs, files) }
    await program(
      (name: string) => given[name] ?? (here(name) as unknown),
      quiet,
      module,
      module.exports,
      scope.fetch,
    )
    for (let turns = 0; turns < 2; turns++) await new Promise((go) => setImmediate(go))
    return observation({ status: 'no_result', reason: 'there is no RESULT' }, requests())
  } catch (error) {
    const { name, message } = error as Error
    return observation(
      {
        status: error instanceof SyntaxError ? 'refused' : 'threw',
        ...(error instanceof SyntaxError && { reason: 'syntax' }),
        error: { name, message },
      } as Observation['ending'],
      requests(),
    )
  }
}
