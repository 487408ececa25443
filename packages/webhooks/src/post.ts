/**
 * One request to a receiver. Every address is checked: that of the URL, of each redirect, and after
 * resolution.
 */
import { createTransport, findHostFault, HostRefused, type NetworkRules, retryAfter } from '@stateeval/models'

export interface PostAnswer {
  status?: number
  /** Why it counts as not delivered. */
  error?: string
  /** When the receiver wants the next attempt, in milliseconds from now. */
  retryAfterMs?: number
}
export type PostFunction = (url: string, headers: Record<string, string>, body: string) => Promise<PostAnswer>

/** Receivers answer first and work later: Standard Webhooks names 15 to 30 seconds. */
const patienceMs = 20_000
const maxRedirects = 3
/** Redirects that repeat the method and the body. */
const followed = new Set([307, 308])

/** The fault of a receiver's URL, as far as its text reveals one; otherwise null. */
export function findWebhookUrlFault(text: string, networks: NetworkRules): string | null {
  if (!URL.canParse(text)) return 'is not a URL; use one such as https://hooks.example.com/stateeval'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.port === '0') return 'names port 0, on which nothing listens'
  if (url.username || url.password)
    return 'must not contain a user or password; receivers verify the signature instead'
  if (url.hash || text.endsWith('#')) return 'must not have a fragment, which is never sent'
  const hostFault = findHostFault(url, networks)
  return hostFault && `is not allowed: ${hostFault}`
}

/** @param env tells whether to use a proxy, as for models. */
export function createPost(
  networks: NetworkRules,
  env: Readonly<Record<string, string | undefined>>,
): PostFunction {
  const transport = createTransport(networks, env)
  return async (firstUrl, headers, body) => {
    const signal = AbortSignal.timeout(patienceMs)
    let url = firstUrl
    try {
      for (let redirects = 0; ; redirects++) {
        const fault = findWebhookUrlFault(url, networks)
        if (fault !== null) return { error: `the ${redirects === 0 ? 'URL' : 'redirect'} ${fault}` }
        const response = await transport(url, { method: 'POST', headers, body, redirect: 'manual', signal })
        // Nothing of an answer is kept, or the log would show what a receiver's network answers.
        await response.body?.cancel()
        const { status } = response
        const location = response.headers.get('location')
        if (response.ok) return { status }
        if (!followed.has(status) || location === null || redirects === maxRedirects)
          return { status, error: describeStatusFault(status), ...readRetryDelay(response) }
        if (!URL.canParse(location, url)) return { status, error: 'redirected to an invalid URL' }
        url = new URL(location, url).href
      }
    } catch (error) {
      return { error: describeRootCause(error) }
    }
  }
}

const describeStatusFault = (status: number) =>
  status >= 300 && status < 400
    ? `answered ${status}; only 307 and 308 are followed, ${maxRedirects} times at most`
    : `answered ${status}`

function readRetryDelay({ headers }: Response): Pick<PostAnswer, 'retryAfterMs'> {
  const ms = retryAfter({ ms: null, text: headers.get('retry-after') }, Date.now())
  return ms === null ? {} : { retryAfterMs: ms }
}

function describeRootCause(error: unknown): string {
  let cause: unknown = error
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof HostRefused) return `the URL is not allowed: ${cause.message}`
    if (cause.name === 'TimeoutError') return `no answer within ${patienceMs / 1000} seconds`
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code === 'string') return `no connection (${code})`
  }
  return 'no connection'
}
