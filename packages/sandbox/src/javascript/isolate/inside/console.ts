/** The console: prints primitives and plain data as Node would. A process prints anything else. */
import { bail, host } from './host.ts'
import { isPlain } from './plain.ts'

function print(...args: unknown[]) {
  for (const arg of args) if (!isPlain(arg)) bail(`console of ${kind(arg)}`)
  try {
    host('print', args)
  } catch {
    bail('console of what cannot be copied')
  }
}
const kind = (value: unknown) => (value instanceof Error ? 'an error' : 'more than plain data')

const methods: Record<PropertyKey, unknown> = {
  ...{ log: print, info: print, debug: print, error: print, warn: print },
  [Symbol.toStringTag]: 'console',
}

export const console = new Proxy(methods, {
  get: (target, key) => (key in target ? target[key] : bail(`console.${String(key)}`)),
})
