/** Requests of a run, seen against the endpoints that the documentation has. */
import type { LoggedRequest } from '@stateeval/contracts'

export interface DocumentedEndpoint {
  /** The API, as headings of the documentation name it; the endpoint itself where they don't. */
  api: string
  method: string
  /** A path template: /api/sessions/{source}/{type}/{id} */
  path: string
  /** Names of its query parameters. */
  query: readonly string[]
  /** The name of the argument that is its body. */
  body?: string
}
/** A request that fits an endpoint, with what filled its path. */
interface MatchedRequest {
  endpoint: DocumentedEndpoint
  segments: Readonly<Record<string, string>>
}

const splitSegments = (path: string) => (path.split('?')[0] as string).replace(/(?<!\/)\/+$/, '').split('/')

/** The endpoint that a request goes to; more literal ones first, so that /query is no id. */
export function matchEndpoint(
  request: Pick<LoggedRequest, 'method' | 'path'>,
  endpoints: readonly DocumentedEndpoint[],
): MatchedRequest | null {
  const parts = splitSegments(request.path)
  let best: (MatchedRequest & { literals: number }) | null = null
  for (const endpoint of endpoints) {
    const template = splitSegments(endpoint.path)
    if (endpoint.method !== request.method || template.length !== parts.length) continue
    const segments: Record<string, string> = {}
    let literals = 0
    const fits = template.every((piece, index) => {
      const part = parts[index] as string
      if (!piece.startsWith('{')) return piece === part && ++literals > 0
      segments[piece.slice(1, -1)] = decodeSegment(part)
      return part !== ''
    })
    if (fits && (!best || literals > best.literals)) best = { endpoint, segments, literals }
  }
  return best
}

export const decodeSegment = (part: string) => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}

/**
 * The endpoints named in a documentation: `GET /api/things/{id}?field={field}` anywhere in it, under the API
 * whose heading stands above. A line that also speaks of a body has one.
 */
export function parseEndpoints(documentation: string): DocumentedEndpoint[] {
  const endpoints: DocumentedEndpoint[] = []
  let heading: string | undefined
  for (const line of documentation.split('\n')) {
    heading = /^#{1,6}\s+[`*]*([A-Za-z]\w*)/.exec(line)?.[1] ?? heading
    for (const [, method, path, query] of line.matchAll(
      /\b(GET|POST|PUT|DELETE|PATCH)\b[`*\s]+(?:\{BASE_URL\}|\$\{BASE_URL\}|BASE_URL)?(\/[^\s`?'"*|,]*)(\?[^\s`'"*|,]*)?/g,
    )) {
      if (endpoints.some((other) => other.method === method && other.path === path)) continue
      const api =
        heading !== undefined && !endpoints.some((other) => other.api === heading)
          ? heading
          : `${method} ${path}`
      endpoints.push({
        api,
        method: method as string,
        path: path as string,
        query: [...(query ?? '').matchAll(/[?&](\w+)=/g)].map(([, name]) => name as string),
        ...(/\bbody\b/.test(line) ? { body: 'body' } : {}),
      })
    }
  }
  return endpoints
}
