/**
 * The modules that candidate code may require and import: axios with form-data and qs, as one bundle, and the
 * builtins of Node. The jail contains no others.
 */
import type * as Fs from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { withFiles } from './files.ts'
import { restoreNames } from './named.ts'
import type { AxiosParts, RequestRecorder } from './recorder.ts'

const builtin = createRequire('file:///candidate.js')
const { hasOwn } = Object
let axios: unknown
let recorder: RequestRecorder | undefined
let extraModules: Readonly<Record<string, unknown>> = {}

/** Called before candidate code runs. */
export function setRecorder(newRecorder: RequestRecorder) {
  recorder = newRecorder
  if (axios !== undefined) newRecorder.attach(axios as AxiosParts)
}

export function addModules(modules: Readonly<Record<string, unknown>>) {
  extraModules = modules
}

/** Files that the program can read, in its working folder. */
export function giveFiles(files: Readonly<Record<string, string>>) {
  const fs = withFiles(builtin('node:fs') as typeof Fs, files)
  const modules = { fs, 'node:fs': fs, 'fs/promises': fs.promises, 'node:fs/promises': fs.promises }
  extraModules = { ...extraModules, ...modules }
}

export function load(name: unknown): unknown {
  if (typeof name !== 'string') throw new TypeError('The "id" argument must be of type string')
  if (hasOwn(extraModules, name)) return extraModules[name]
  // Loaded when first asked for: a program that uses fetch doesn’t pay for it. The bundler puts it in.
  if (name === 'axios') return (axios ??= loadAxios())
  if (name === 'form-data' || name === 'qs') return (packages[name] ??= loadPackage(name))
  if (isBuiltin(name)) return builtin(name)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

function loadAxios(): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const axiosModule = restoreNames(require('axios') as AxiosParts)
  recorder?.attach(axiosModule)
  return axiosModule
}

/** Packages that programs make bodies and queries with. The form is the one that axios knows. */
const packages: Partial<Record<'form-data' | 'qs', unknown>> = {}
/* eslint-disable @typescript-eslint/no-require-imports -- the bundler puts them in */
const loadPackage = (name: 'form-data' | 'qs'): unknown =>
  name === 'qs' ? require('qs') : require('form-data')
/* eslint-enable @typescript-eslint/no-require-imports */

/** A module as `import * as` sees it: its members, and itself as the default. */
export function createNamespace(name: unknown): Record<string, unknown> {
  const module = load(name) as Record<string, unknown>
  return Object.assign(Object.create(null) as Record<string, unknown>, module, { default: module })
}
