/** What candidate code may require and import: axios, as one bundle, and the builtins of Node. Nothing else is in the jail. */
import { createRequire, isBuiltin } from 'node:module'

const builtin = createRequire('file:///candidate.js')
let axios: unknown

export function load(name: unknown): unknown {
  if (typeof name !== 'string') throw new TypeError('The "id" argument must be of type string')
  // Loaded when first asked for: a program that uses fetch doesn’t pay for it. The bundler puts it in.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  if (name === 'axios') return (axios ??= require('axios'))
  if (isBuiltin(name)) return builtin(name)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

/** A module as `import * as` sees it: its members, and itself as the default. */
export function namespace(name: unknown): Record<string, unknown> {
  const module = load(name) as Record<string, unknown>
  return Object.assign(Object.create(null) as Record<string, unknown>, module, { default: module })
}
