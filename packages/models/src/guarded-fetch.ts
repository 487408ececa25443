/** The only place that adds secrets to a request: only to a request to the model's own origin. */
import { limitResponse } from './answer-body.ts'
import { findHostFault } from './base-url.ts'
import { readError, type SaidError } from './error-body.ts'
import { type RequestExtras, withQuery } from './extras.ts'
import type { NetworkRules } from './networks.ts'
import { HostRefused } from './transport.ts'

interface FetchGuard {
  baseUrl: string
  extras: RequestExtras
  networks: NetworkRules
  transport: typeof fetch
}
/** Headers that an endpoint needs. The SDK adds others, some from the environment of the process. */
const sentHeaders = ['accept', 'content-type', 'user-agent']
/** Headers of an error response that are read. */
const readHeaders = ['retry-after', 'retry-after-ms']

/** A fetch for one model. Answers are limited; the body of an error is replaced by its repeatable part. */
export function createGuardedFetch({ baseUrl, extras, networks, transport }: FetchGuard): typeof fetch {
  const { origin } = new URL(baseUrl)
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const fault =
      url.origin === origin ? findHostFault(url, networks) : `${url.origin} is not the model’s host`
    if (fault !== null) throw new HostRefused(fault)
    const requestHeaders = new Headers(init.headers)
    const headers = new Headers(
      sentHeaders
        .flatMap((name): [string, string][] => [[name, requestHeaders.get(name) ?? '']])
        .filter(([, value]) => value),
    )
    for (const [name, value] of extras.headers) headers.set(name, value)
    // Some servers want any key. Beside the key in another header, it would count as a wrong one.
    if (extras.headers.length === 0) headers.set('authorization', 'Bearer none')
    const response = await transport(withQuery(url, extras).href, { ...init, headers, redirect: 'manual' })
    return response.ok ? limitResponse(response) : replaceBody(response, extras.hide)
  }
}

async function replaceBody(response: Response, hide: (text: string) => string): Promise<Response> {
  const said = await readError(response.body, hide)
  // A redirect is no error: its text may name an inner address.
  const error: SaidError = response.status < 400 ? { ...said, quote: null } : said
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of readHeaders) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  // A status that forbids a body.
  const body = response.status === 304 ? null : JSON.stringify({ error })
  return new Response(body, { status: response.status, headers })
}
