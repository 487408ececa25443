/**
 * The modules that candidate code may require and import: axios, as one bundle, and the builtins of Node.
 * The jail contains no others.
 */
import { createRequire, isBuiltin } from 'node:module'
import { named } from './named.ts'
import type { Axios, Recorder } from './recorder.ts'

const builtin = createRequire('file:///candidate.js')
const { hasOwn } = Object
let axios: unknown
let recorder: Recorder | undefined
let extraModules: Readonly<Record<string, unknown>> = {}

/** Called before candidate code runs. */
export function recordWith(newRecorder: Recorder) {
  recorder = newRecorder
  if (axios !== undefined) newRecorder.attach(axios as Axios)
}

export function alsoGive(modules: Readonly<Record<string, unknown>>) {
  extraModules = modules
}

export function load(name: unknown): unknown {
  if (typeof name !== 'string') throw new TypeError('The "id" argument must be of type string')
  if (hasOwn(extraModules, name)) return extraModules[name]
  // Loaded when first asked for: a program that uses fetch doesn’t pay for it. The bundler puts it in.
  if (name === 'axios') return (axios ??= loadAxios())
  if (isBuiltin(name)) return builtin(name)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

function loadAxios(): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const axiosModule = named(require('axios') as Axios)
  recorder?.attach(axiosModule)
  return axiosModule
}

/** A module as `import * as` sees it: its members, and itself as the default. */
export function namespace(name: unknown): Record<string, unknown> {
  const module = load(name) as Record<string, unknown>
  return Object.assign(Object.create(null) as Record<string, unknown>, module, { default: module })
}
