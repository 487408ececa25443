/** Classifies errors of the SDK: whether a retry could help, and what a person must do. */
import type { ModelSettings } from '@stateeval/contracts'
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { tlsFault } from './connection-faults.ts'
import { saysContext } from './context-words.ts'
import { errorIn, type SaidError } from './error-body.ts'
import { meaningOf } from './error-codes.ts'
import type { Lasting, ModelAttempt, RefusalKind } from './request.ts'
import { retryAfter } from './retry-after.ts'
import { HostRefused } from './transport.ts'

type Failure = Exclude<ModelAttempt, { status: 'done' }>

/**
 * The endpoint's response is unusable: not JSON, no choices, an incomplete stream, or empty. `error`: what
 * the endpoint said of it, as it came.
 */
export class Unusable extends Error {
  readonly error: unknown
  constructor(message: string, error?: unknown) {
    super(message)
    this.error = error
  }
}

/** The endpoint's answer is longer than anything that is read. */
export class Flood extends Unusable {}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
])

export const defaultTimeoutMs = 120_000
export const tooLate = ({ timeoutMs = defaultTimeoutMs }: ModelSettings): Failure => ({
  status: 'transient',
  reason: `no answer within ${timeoutMs} ms; raise timeoutMs if the model needs longer`,
})

/** An error status: `error` is what guarded-fetch.ts leaves of its body. */
type Told = Pick<APIError<number, Headers | undefined, SaidError>, 'error' | 'headers'>

/** Tells whether a request was blocked before it was sent. */
export const wasRefusedHere = (error: unknown) => chain(error).some((cause) => cause instanceof HostRefused)

/**
 * Classifies the failure of one attempt. `now` is for Retry-After dates, in milliseconds; `hide` removes
 * the key from a text. Reasons contain nothing of a response except the text of an error (error-body.ts).
 * What ends every question is only what a status or a code says.
 */
export function classify(
  error: unknown,
  settings: ModelSettings,
  now: () => number,
  hide: (text: string) => string,
): Failure {
  if (error instanceof APIConnectionTimeoutError) return tooLate(settings)
  if (error instanceof APIConnectionError) {
    if (wasRefusedHere(error)) return { status: 'refused', kind: 'host', reason: hide(deepest(error)) }
    const code = codeOf(error)
    if (unreachableCodes.has(code))
      return {
        status: 'transient',
        unreachable: true,
        reason: `${settings.baseUrl} cannot be reached (${code}); start the endpoint, or correct baseUrl`,
      }
    const fault = tlsFault(code, settings.baseUrl)
    if (fault !== null) return { status: 'refused', kind: 'host', reason: fault }
    // The Fetch standard blocks the ports of other protocols: no try reaches them.
    if (deepest(error) === 'bad port')
      return {
        status: 'refused',
        kind: 'host',
        reason: `${settings.baseUrl} is at a port that HTTP clients block; move the endpoint to another port, and correct baseUrl`,
      }
    return { status: 'transient', reason: `the connection was interrupted: ${hide(deepest(error))}` }
  }
  if (error instanceof APIError && error.status !== undefined) {
    const { error: said = nothingSaid, headers } = error as Told
    const status = Number(error.status)
    return byError(said, { status, what: `the endpoint answered ${status}`, headers }, settings, now)
  }
  if (error instanceof Unusable && error.error !== undefined) {
    const said = errorIn(error.error, hide)
    return byError(said, { status: statusIn(said), what: error.message }, settings, now)
  }
  if (error instanceof Unusable) return { status: 'transient', reason: error.message }
  // The parser would repeat the text.
  if (error instanceof SyntaxError)
    return { status: 'transient', reason: 'the endpoint’s answer is not valid JSON' }
  return {
    status: 'transient',
    reason: `the endpoint’s answer cannot be read${codeOf(error) && ` (${codeOf(error)})`}`,
  }
}

const nothingSaid: SaidError = { quote: null, text: '', codes: [] }
/** The status that an error within an answer names, such as OpenRouter's; null if it names none. */
function statusIn({ codes }: SaidError): number | null {
  const status = Number(codes.find((code) => /^[45]\d\d$/.test(code)))
  return Number.isNaN(status) ? null : status
}

interface Statement {
  status: number | null
  /** The event, before the endpoint's own words. */
  what: string
  headers?: Headers | undefined
}

/** Passing, whatever is said: timeouts, conflicts, limits, faults of the server's. */
const passing: ReadonlySet<number> = new Set([408, 409, 424, 425, 429, 498, 499])

function byError(
  said: SaidError,
  { status, what, headers }: Statement,
  { baseUrl, model, keyEnv }: ModelSettings,
  now: () => number,
): Failure {
  const { quote, text, codes } = said
  const statement = quote === null ? what : `${what}: ${quote}`
  const means = said.moderated ? 'moderation' : meaningOf(codes)
  const refused = (kind: RefusalKind, remedy: string): Failure => ({
    status: 'refused',
    kind,
    reason: `${statement}: ${remedy}`,
  })
  const remedies = {
    key: keyEnv
      ? `it rejects the key in ${keyEnv}; set a valid one in the service’s environment`
      : 'it requires a key; name its environment variable in keyEnv',
    quota: 'the account’s quota is used up',
    model: `there is no model ${JSON.stringify(model)} at ${baseUrl}; GET ${baseUrl}/models lists them`,
    context:
      'the prompt does not fit the model’s context; use a model with a larger one, or lower max_tokens',
    moderation: 'the endpoint’s moderation rejects this prompt',
  }
  if (means === 'quota' || means === 'context' || means === 'moderation')
    return refused(means, remedies[means])
  if (status === 402) return refused('quota', remedies.quota)
  if (status === 401 || (status === 403 && means === 'key')) return refused('key', remedies.key)
  if (means === 'model' || status === 404) return refused('model', remedies.model)
  const passes = status === null || passing.has(status) || status >= 500
  // Only of a rate limit a prompt's size may be the matter, too.
  if (status !== 429 && status !== 403 && means !== 'busy' && saysContext(text))
    return refused('context', remedies.context)
  // A firewall or a gateway in front of the model says 403, too: it is the key's if it stays.
  if (passes || means === 'busy' || status === 403) {
    const isBusy = means === 'busy' || status === 429 || status === 503 || status === 529
    const afterMs = retryAfter(
      {
        ms: headers?.get('retry-after-ms') ?? null,
        text: headers?.get('retry-after') ?? said.after ?? null,
      },
      now(),
    )
    return {
      status: 'transient',
      reason: statement,
      ...(isBusy && { busy: true }),
      ...(status === 403 &&
        means !== 'busy' && {
          lasting: { kind: 'key', remedy: remedies.key, afterMs: 0, ofQuestion: true } as const,
        }),
      ...(status === 429 && { lasting: lastingLimit }),
      ...(afterMs !== null && { afterMs }),
    }
  }
  // Redirects are not followed: they would carry the key to another host.
  if (status < 400) return refused('host', 'redirects are not followed; set baseUrl to the redirect’s target')
  return refused('request', 'the endpoint rejects this request; check the model’s parameters')
}
/** No limit per minute lasts longer. */
const lastingLimit: Lasting = {
  kind: 'quota',
  remedy: 'it has answered nothing for a minute, so its limit or the account’s quota is used up',
  afterMs: 60_000,
}

interface Cause {
  message?: unknown
  code?: unknown
  cause?: unknown
  errors?: unknown[]
}
/** The innermost cause says what happened; the outer ones say that something did. */
function chain(error: unknown): Cause[] {
  const causes: Cause[] = []
  for (let at = error; at !== null && typeof at === 'object' && causes.length < 8; at = (at as Cause).cause)
    causes.push(at)
  return causes
}
function codeOf(error: unknown): string {
  for (const { code, errors } of chain(error)) {
    if (typeof code === 'string') return code
    // Names with several addresses fail with one error for each.
    if (errors && errors.length > 0) return codeOf(errors[0])
  }
  return ''
}
const deepest = (error: unknown) => String(chain(error).at(-1)?.message ?? error)
