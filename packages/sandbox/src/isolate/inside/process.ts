/** `process`, as far as programs use it without needing one of their own. */
import { finish } from './end.ts'
import { bail, host } from './host.ts'

/** The environment: filled before the program starts. */
export const env: Record<string, string> = {}

/** stdout and stderr: text only, at once. */
const stream = new Proxy(
  {
    write: (text: unknown, ...more: unknown[]) => (typeof text === 'string' && more.length === 0 ? written(text) : bail('a write')),
  },
  { get: (target, key) => (key === 'write' ? target.write : bail(`process.stdout.${String(key)}`)) },
)
function written(text: string): true {
  host('write', text)
  return true
}

const known: Record<PropertyKey, unknown> = {
  env,
  stdout: stream,
  stderr: stream,
  exit: () => finish(true),
  exitCode: undefined,
  [Symbol.toStringTag]: 'process',
}
const unknown = (key: PropertyKey) => bail(`process.${String(key)}`)

export const process = new Proxy(known, {
  get: (target, key) => (key in target ? target[key] : unknown(key)),
  set: (target, key, value) => (key === 'exitCode' ? Reflect.set(target, key, value) : unknown(key)),
  has: (target, key) => key in target || unknown(key),
  ownKeys: () => bail('looking into process'),
})
