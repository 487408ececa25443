/** The specification of a case, made ready for matching once. */
import type { BenchmarkHost } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import { type SpecifiedEndpoints, compileEndpoints } from './endpoints.ts'
import type { ApiDescription } from './types.ts'

export type EndpointsOf = (c: WapiiCase) => SpecifiedEndpoints

/** How many specifications are kept ready. */
const maxEntries = 32

export function createEndpointCache(host: BenchmarkHost): EndpointsOf {
  const byHash = new Map<string, SpecifiedEndpoints>()
  const inline = new WeakMap<object, SpecifiedEndpoints>()
  return ({ task: { specification }, artifacts: [hash] = [] }) => {
    if (specification) {
      const endpoints = inline.get(specification) ?? compileEndpoints(specification)
      inline.set(specification, endpoints)
      return endpoints
    }
    const entry = byHash.get(hash!)
    if (entry) return entry
    if (!host.artifact) throw new Error('this host has no artifacts')
    const endpoints = compileEndpoints(
      JSON.parse(new TextDecoder().decode(host.artifact(hash!))) as ApiDescription,
    )
    if (byHash.size >= maxEntries) byHash.clear()
    byHash.set(hash!, endpoints)
    return endpoints
  }
}
