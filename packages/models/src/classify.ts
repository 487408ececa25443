/** Classifies errors of the SDK: whether a retry could help, and what a person must do. */
import type { ModelSettings } from '@stateeval/contracts'
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { describeTlsFault } from './connection-faults.ts'
import { hasContextWords } from './context-words.ts'
import { readErrorText, type SaidError } from './error-body.ts'
import { findMeaning } from './error-codes.ts'
import type { LastingFailure, ModelAttempt, RefusalKind } from './request.ts'
import { retryAfter } from './retry-after.ts'
import { HostRefused } from './transport.ts'

type AttemptFailure = Exclude<ModelAttempt, { status: 'done' }>

/**
 * The endpoint's response is unusable: not JSON, no choices, an incomplete stream, or empty. `error`: what
 * the endpoint said of it, as it came.
 */
export class UnusableResponse extends Error {
  readonly error: unknown
  constructor(message: string, error?: unknown) {
    super(message)
    this.error = error
  }
}

/** The endpoint's answer is longer than anything that is read. */
export class FloodError extends UnusableResponse {}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
])

export const defaultTimeoutMs = 120_000
export const createTimeout = ({ timeoutMs = defaultTimeoutMs }: ModelSettings): AttemptFailure => ({
  status: 'transient',
  reason: `no answer within ${timeoutMs} ms; raise timeoutMs if the model needs longer`,
})

/** The parts that are read of an error status: `error` is what guarded-fetch.ts leaves of its body. */
type ToldError = Pick<APIError<number, Headers | undefined, SaidError>, 'error' | 'headers'>

/** Tells whether a request was blocked here, before it was sent. */
export const wasRefusedHere = (error: unknown) =>
  listCauses(error).some((cause) => cause instanceof HostRefused)

/**
 * Classifies the failure of one attempt. `now` is for Retry-After dates, in milliseconds; `hide` removes
 * the key from a text. Reasons contain nothing of a response except the text of an error (error-body.ts).
 * What ends every question is only what a status or a code says.
 */
export function classifyFailure(
  error: unknown,
  settings: ModelSettings,
  now: () => number,
  hide: (text: string) => string,
): AttemptFailure {
  if (error instanceof APIConnectionTimeoutError) return createTimeout(settings)
  if (error instanceof APIConnectionError) {
    if (wasRefusedHere(error))
      return { status: 'refused', kind: 'host', reason: hide(getDeepestMessage(error)) }
    const code = findErrorCode(error)
    if (unreachableCodes.has(code))
      return {
        status: 'transient',
        unreachable: true,
        reason: `${settings.baseUrl} cannot be reached (${code}); start the endpoint, or correct baseUrl`,
      }
    const fault = describeTlsFault(code, settings.baseUrl)
    if (fault !== null) return { status: 'refused', kind: 'host', reason: fault }
    // The Fetch standard blocks the ports of other protocols: no try reaches them.
    if (getDeepestMessage(error) === 'bad port')
      return {
        status: 'refused',
        kind: 'host',
        reason: `${settings.baseUrl} is at a port that HTTP clients block; move the endpoint to another port, and correct baseUrl`,
      }
    return {
      status: 'transient',
      reason: `the connection was interrupted: ${hide(getDeepestMessage(error))}`,
    }
  }
  if (error instanceof APIError && error.status !== undefined) {
    const { error: said = nothingSaid, headers } = error as ToldError
    const status = Number(error.status)
    return classifySaidError(
      said,
      { status, what: `the endpoint answered ${status}`, headers },
      settings,
      now,
    )
  }
  if (error instanceof UnusableResponse && error.error !== undefined) {
    const said = readErrorText(error.error, hide)
    return classifySaidError(said, { status: findSaidStatus(said), what: error.message }, settings, now)
  }
  if (error instanceof UnusableResponse) return { status: 'transient', reason: error.message }
  // The parser would repeat the text.
  if (error instanceof SyntaxError)
    return { status: 'transient', reason: 'the endpoint’s answer is not valid JSON' }
  return {
    status: 'transient',
    reason: `the endpoint’s answer cannot be read${findErrorCode(error) && ` (${findErrorCode(error)})`}`,
  }
}

const nothingSaid: SaidError = { quote: null, text: '', codes: [] }
/** The status that an error within an answer names, such as OpenRouter's; null if it names none. */
function findSaidStatus({ codes }: SaidError): number | null {
  const status = Number(codes.find((code) => /^[45]\d\d$/.test(code)))
  return Number.isNaN(status) ? null : status
}

interface FailureStatement {
  status: number | null
  /** The event, before the endpoint's own words. */
  what: string
  headers?: Headers | undefined
}

/** Passing, whatever is said: timeouts, conflicts, limits, faults of the server's. */
const passing: ReadonlySet<number> = new Set([408, 409, 424, 425, 429, 498, 499])

function classifySaidError(
  said: SaidError,
  { status, what, headers }: FailureStatement,
  { baseUrl, model, keyEnv }: ModelSettings,
  now: () => number,
): AttemptFailure {
  const { quote, text, codes } = said
  const statement = quote === null ? what : `${what}: ${quote}`
  const means = said.moderated ? 'moderation' : findMeaning(codes)
  const refused = (kind: RefusalKind, remedy: string): AttemptFailure => ({
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
  if (status !== 429 && status !== 403 && means !== 'busy' && hasContextWords(text))
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
const lastingLimit: LastingFailure = {
  kind: 'quota',
  remedy: 'it has answered nothing for a minute, so its limit or the account’s quota is used up',
  afterMs: 60_000,
}

interface ErrorCause {
  message?: unknown
  code?: unknown
  cause?: unknown
  errors?: unknown[]
}
/** The innermost cause says what happened; the outer ones say that something did. */
function listCauses(error: unknown): ErrorCause[] {
  const causes: ErrorCause[] = []
  for (
    let at = error;
    at !== null && typeof at === 'object' && causes.length < 8;
    at = (at as ErrorCause).cause
  )
    causes.push(at)
  return causes
}
function findErrorCode(error: unknown): string {
  for (const { code, errors } of listCauses(error)) {
    if (typeof code === 'string') return code
    // Names with several addresses fail with one error for each.
    if (errors && errors.length > 0) return findErrorCode(errors[0])
  }
  return ''
}
const getDeepestMessage = (error: unknown) => String(listCauses(error).at(-1)?.message ?? error)
