/** Requests that early.ts sends while the application loads; the application uses their responses. */

/** Requests by their path and query. */
export interface StartedRequest {
  key: string | undefined
  responses: Map<string, Promise<Response>>
}
declare global {
  var stateevalStarted: StartedRequest | undefined
}

/** How long an early answer counts as current. */
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
