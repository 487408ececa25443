/** Requests that early.ts sends while the application loads; the application uses their responses. */

/** By the path and query of the request. */
export interface Started {
  key: string | undefined
  responses: Map<string, Promise<Response>>
}
declare global {
  var stateevalStarted: Started | undefined
}

/** What a view reads a moment after its page came; later it asks anew. */
const takenWithinMs = 10_000

/** `fetch` that gives what was started for the same address with the same key, once. */
export const fetchStarted =
  (key: string | undefined): typeof fetch =>
  (input, init) => {
    const started = globalThis.stateevalStarted
    if (started && init?.method === 'GET' && started.key === key && performance.now() < takenWithinMs) {
      const path = (input as string).slice(location.origin.length)
      const response = started.responses.get(path)
      started.responses.delete(path)
      if (response) return response
    }
    return fetch(input, init)
  }
