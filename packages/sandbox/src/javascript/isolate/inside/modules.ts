/**
 * The modules that candidate code may require and import here: axios, in isolates that have it. Builtins of
 * Node need a process.
 */
import bundled from 'axios'
import { named } from '../../runner/named.ts'
import type { Axios, Recorder } from '../../runner/recorder.ts'
import { bail } from './host.ts'

const { hasOwn } = Object
/** What the bundler puts in: in isolates without axios, nothing. */
const axios = bundled as Axios | undefined
if (axios) named(axios)
let extraModules: Readonly<Record<string, unknown>> = {}
let builtins: ReadonlySet<string> = new Set()
export const setBuiltins = (names: readonly string[]) => {
  builtins = new Set(names)
}

const without = 'axios under another name'
/** Called before candidate code runs. */
export const recordWith = (recorder: Recorder) => recorder.attach(axios ?? bail(without))

export function alsoGive(modules: Readonly<Record<string, unknown>>) {
  extraModules = modules
}

export function load(name: unknown): unknown {
  if (typeof name !== 'string') throw new TypeError('The "id" argument must be of type string')
  if (hasOwn(extraModules, name)) return extraModules[name]
  if (name === 'axios') return axios ?? bail(without)
  if (name.startsWith('node:') || builtins.has(name.split('/')[0]!)) bail(`the module ${name}`)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

/** A module as `import * as` sees it: its members, and itself as the default. */
export function namespace(name: unknown): Record<string, unknown> {
  const module = load(name) as Record<string, unknown>
  return Object.assign(Object.create(null) as Record<string, unknown>, module, { default: module })
}
