/** The specification of a case, made ready for matching once. */
import type { BenchmarkHost } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import { type Endpoints, endpointsOf } from './endpoints.ts'
import type { Specification } from './types.ts'

export type EndpointsOf = (c: WapiiCase) => Endpoints

/** How many specifications are kept ready. */
const maxEntries = 32

export function cachedEndpoints(host: BenchmarkHost): EndpointsOf {
  const byHash = new Map<string, Endpoints>()
  const inline = new WeakMap<object, Endpoints>()
  return ({ task: { specification }, artifacts: [hash] = [] }) => {
    if (specification) {
      const endpoints = inline.get(specification) ?? endpointsOf(specification)
      inline.set(specification, endpoints)
      return endpoints
    }
    const entry = byHash.get(hash!)
    if (entry) return entry
    if (!host.artifact) throw new Error('this host has no artifacts')
    const endpoints = endpointsOf(JSON.parse(new TextDecoder().decode(host.artifact(hash!))) as Specification)
    if (byHash.size >= maxEntries) byHash.clear()
    byHash.set(hash!, endpoints)
    return endpoints
  }
}
