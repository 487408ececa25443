/** The parts of `process` that do not need a real process. */
import { finish } from './end.ts'
import { bail, host } from './host.ts'
import { maxText } from './plain.ts'

/** The environment, which the runner fills before the program starts. */
export const environment: Record<string, string> = {}
/** Values become text, as in every process, and the time zone follows its variable. */
export const env = new Proxy(environment, {
  set(target, key, value) {
    if (typeof key === 'symbol' || typeof value === 'symbol' || key === 'TZ') bail('an odd environment')
    target[key] = `${value as string}`
    return true
  },
  deleteProperty: (target, key) =>
    key === 'TZ' ? bail('an odd environment') : Reflect.deleteProperty(target, key),
  defineProperty: () => bail('an odd environment'),
  setPrototypeOf: () => bail('an odd environment'),
})

/** stdout and stderr: text only, at once. */
const stream = new Proxy(
  {
    write: (text: unknown, ...more: unknown[]) =>
      typeof text === 'string' && more.length === 0 ? writeText(text) : bail('a write'),
  },
  { get: (target, key) => (key === 'write' ? target.write : bail(`process.stdout.${String(key)}`)) },
)
function writeText(text: string): true {
  if (text.length > maxText) bail('much output at once')
  host('write', text)
  return true
}

const members: Record<PropertyKey, unknown> = {
  env,
  stdout: stream,
  stderr: stream,
  exit: () => finish(true),
  exitCode: undefined,
  [Symbol.toStringTag]: 'process',
}
const unknown = (key: PropertyKey) => bail(`process.${String(key)}`)

export const process = new Proxy(members, {
  get: (target, key) => (key in target ? target[key] : unknown(key)),
  set: (target, key, value) => (key === 'exitCode' ? Reflect.set(target, key, value) : unknown(key)),
  has: (target, key) => key in target || unknown(key),
  ownKeys: () => bail('looking into process'),
})
