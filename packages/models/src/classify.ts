/** Classifies errors of the SDK: whether a retry could help, and what a person must do. */
import type { ModelSettings } from '@stateeval/contracts'
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { tlsFault } from './connection-faults.ts'
import { quoteOf, type SaidError } from './error-body.ts'
import type { ModelAttempt } from './request.ts'
import { retryAfter } from './retry-after.ts'
import { HostRefused } from './transport.ts'

type Failure = Exclude<ModelAttempt, { status: 'done' }>

/**
 * The endpoint's response is unusable: not JSON, no choices, an incomplete stream, or empty. `error`: the
 * endpoint's own message.
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

const contextWords =
  /context[ _-]?(length|window|size)|maximum context|too many tokens|prompt is too long|input is too long|exceeds? the (model|context)/i
const quotaWords = /insufficient_quota|exceeded your current quota|billing|credit balance/i
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

/** Of an error status: `error` is what guarded-fetch.ts leaves of its body. */
type Told = Pick<APIError<number, Headers | undefined, SaidError>, 'error' | 'headers'>

/** Whether a request was blocked before it was sent. */
export const wasRefusedHere = (error: unknown) => chain(error).some((cause) => cause instanceof HostRefused)

/**
 * Classifies the failure of one attempt. `now` is for Retry-After dates, in milliseconds; `hide` removes
 * the key from a text. Reasons contain nothing of a response except the fields of an error in OpenAI's form
 * (error-body.ts).
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
  if (error instanceof APIError && error.status !== undefined)
    return byStatus(error as Told, Number(error.status), settings, now)
  if (error instanceof APIError)
    return {
      status: 'transient',
      reason: withQuote('the endpoint’s answer was cut off', quoteOf(error.error, hide)),
    }
  if (error instanceof Unusable)
    return { status: 'transient', reason: withQuote(error.message, quoteOf(error.error, hide)) }
  // The parser would repeat the text.
  if (error instanceof SyntaxError)
    return { status: 'transient', reason: 'the endpoint’s answer is not valid JSON' }
  return {
    status: 'transient',
    reason: `the endpoint’s answer cannot be read${codeOf(error) && ` (${codeOf(error)})`}`,
  }
}

const withQuote = (what: string, quote: string | null) => (quote === null ? what : `${what}: ${quote}`)

function byStatus(
  error: Told,
  status: number,
  { baseUrl, model, keyEnv }: ModelSettings,
  now: () => number,
): Failure {
  const { quote = null, text: says = '' } = error.error ?? {}
  const refused = (kind: Extract<Failure, { status: 'refused' }>['kind'], reason: string): Failure => ({
    status: 'refused',
    kind,
    reason,
  })
  const statement = withQuote(`the endpoint answered ${status}`, quote)
  if (status === 401 || status === 403)
    return refused(
      'key',
      `${statement}: ${keyEnv ? `it rejects the key in ${keyEnv}; set a valid one in the service’s environment` : 'it requires a key; name its environment variable in keyEnv'}`,
    )
  if (status === 402 || (status === 429 && quotaWords.test(says)))
    return refused('quota', `${statement}: the account’s quota is used up`)
  if ((status === 400 || status === 413 || status === 422) && contextWords.test(says))
    return refused(
      'context',
      `${statement}: the prompt does not fit the model’s context; use a model with a larger one, or lower max_tokens`,
    )
  if (status === 404)
    return refused(
      'model',
      `${statement}: there is no model ${JSON.stringify(model)} at ${baseUrl}; GET ${baseUrl}/models lists them`,
    )
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) {
    const headers = error.headers
    const afterMs = retryAfter(
      { ms: headers?.get('retry-after-ms') ?? null, text: headers?.get('retry-after') ?? null },
      now(),
    )
    return {
      status: 'transient',
      reason: statement,
      ...((status === 429 || status === 503) && { busy: true }),
      ...(afterMs !== null && { afterMs }),
    }
  }
  // Redirects are not followed: they would carry the key to another host.
  if (status < 400)
    return refused('host', `${statement}: redirects are not followed; set baseUrl to the redirect’s target`)
  if (/model.{0,40}(not found|not exist|unknown)|no such model/i.test(says))
    return refused(
      'model',
      `${statement}: there is no model ${JSON.stringify(model)} at ${baseUrl}; GET ${baseUrl}/models lists them`,
    )
  return refused('request', `${statement}: the endpoint rejects this request; check the model’s parameters`)
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
