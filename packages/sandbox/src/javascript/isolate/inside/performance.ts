/** performance.now; its other members need a process. */
import { bail } from './host.ts'

const { now } = Date
const born = now()

export const performance = new Proxy<Record<PropertyKey, unknown>>(
  { now: () => now() - born + 0.5, [Symbol.toStringTag]: 'Performance' },
  {
    get: (target, key) =>
      key === 'now' || key === Symbol.toStringTag ? target[key] : bail(`performance.${String(key)}`),
    ownKeys: () => bail('looking into performance'),
    has: () => bail('looking into performance'),
    getPrototypeOf: () => bail('looking into performance'),
  },
)
