/** Requests of a run, seen against the endpoints that the documentation has. */
import type { LoggedRequest } from '@stateeval/contracts'

export interface Endpoint {
  method: string
  /** A path template: /api/sessions/{source}/{type}/{id} */
  path: string
}
/** A request that fits an endpoint, with what filled its path. */
export interface Matched {
  request: LoggedRequest
  endpoint: Endpoint
  segments: Readonly<Record<string, string>>
}

const segmentsOf = (path: string) => (path.split('?')[0] as string).replace(/\/+$/, '').split('/')

/** The endpoint that a request goes to; more literal ones first, so that /query is no id. */
export function matchEndpoint(
  request: Pick<LoggedRequest, 'method' | 'path'>,
  endpoints: readonly Endpoint[],
): Omit<Matched, 'request'> | null {
  const parts = segmentsOf(request.path)
  let best: (Omit<Matched, 'request'> & { literals: number }) | null = null
  for (const endpoint of endpoints) {
    const template = segmentsOf(endpoint.path)
    if (endpoint.method !== request.method || template.length !== parts.length) continue
    const segments: Record<string, string> = {}
    let literals = 0
    const fits = template.every((piece, index) => {
      const part = parts[index] as string
      if (!piece.startsWith('{')) return piece === part && ++literals > 0
      segments[piece.slice(1, -1)] = decoded(part)
      return part !== ''
    })
    if (fits && (!best || literals > best.literals)) best = { endpoint, segments, literals }
  }
  return best
}

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The endpoints named in a documentation: `GET /api/things/{id}` anywhere in it. */
export function documentedEndpoints(documentation: string): Endpoint[] {
  const found = documentation.matchAll(/\b(GET|POST|PUT|DELETE|PATCH)\b[`*\s]+(?:\{BASE_URL\}|\$\{BASE_URL\}|BASE_URL)?(\/[^\s`?'"*|,]*)/g)
  const endpoints = [...found].map(([, method, path]) => ({ method: method as string, path: path as string }))
  return endpoints.filter(
    ({ method, path }, index) => endpoints.findIndex((other) => other.method === method && other.path === path) === index,
  )
}

const name = ({ method, path }: Endpoint) => `${method} ${path}`
export const endpointName = name

/** How often each endpoint was called, against how often it should have been: what is missing and what is too much. */
export function tally(
  expected: readonly Endpoint[],
  made: readonly Endpoint[],
): { missing: [string, number][]; extra: [string, number][] } {
  const counts = new Map<string, number>()
  for (const endpoint of expected) counts.set(name(endpoint), (counts.get(name(endpoint)) ?? 0) + 1)
  for (const endpoint of made) counts.set(name(endpoint), (counts.get(name(endpoint)) ?? 0) - 1)
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    missing: sorted.filter(([, count]) => count > 0),
    extra: sorted.filter(([, count]) => count < 0).map(([endpoint, count]) => [endpoint, -count]),
  }
}
