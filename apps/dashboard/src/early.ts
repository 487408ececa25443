/**
 * A separate script that runs while the application loads: it sends the first requests of the view at this
 * address, so the service answers meanwhile. The application uses the responses (data/started.ts).
 */
import type { StartedRequest } from './data/started.ts'
import { readStoredKey } from './data/stored-session.ts'
import { getFirstPage, sampleSearch } from './pure/samples.ts'

/** Search parameters as the router reads them: values may be JSON. */
function parseSearch(text: string): Record<string, unknown> {
  const read = (value: string): unknown => {
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, read(value)]))
}

/** Paths of the requests of a view, the longest first. */
function listRequests({ pathname, search }: Location): string[] {
  const [, view, id, part, place] = pathname.split('/')
  if (view !== 'evaluations' || id === 'new') return []
  if (!id) return ['/v1/evaluations?limit=500']
  const evaluation = `/v1/evaluations/${id}`
  if (part === undefined) return [`${evaluation}/summary`, evaluation]
  if (part !== 'cases') return []
  if (place !== undefined) return [`${evaluation}/samples/${place}`, evaluation]
  const query = Object.entries(getFirstPage(sampleSearch(parseSearch(search))))
  const words = new URLSearchParams(query.map(([name, value]) => [name, String(value)]))
  return [`${evaluation}/samples?${words.toString()}`, evaluation]
}

const key = readStoredKey()
const headers = {
  accept: 'application/json, application/problem+json, */*;q=0.5',
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
}
const started: StartedRequest = { key, responses: new Map() }
for (const path of [...listRequests(location), '/v1/caller']) {
  const response = fetch(path, { headers })
  // Whoever takes it over sees its error.
  response.catch(() => undefined)
  started.responses.set(path, response)
}
globalThis.stateevalStarted = started
