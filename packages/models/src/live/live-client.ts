/**
 * Requests to live APIs: guarded like requests to models, within each API's limits, and retried if that may
 * help.
 */
import type { LiveApi, LiveRequest, ModelSettings } from '@stateeval/contracts'
import { APIConnectionError } from 'openai'
import { findHostFault } from '../base-url.ts'
import { classifyFailure, defaultTimeoutMs, createTimeout } from '../classify.ts'
import type { ModelClientOptions } from '../client.ts'
import { type RequestExtras, readExtras, withQuery } from '../extras.ts'
import type { AskModel, ModelAttempt, TryModel } from '../request.ts'
import { retryAfter } from '../retry-after.ts'
import { startTimer } from '../timed.ts'
import { createTransport } from '../transport.ts'
import { paced } from '../wrappers/paced.ts'
import { retried } from '../wrappers/retried.ts'
import { parseLiveRequest, formatLiveRequest, formatLiveResponse } from './request.ts'

interface LiveClientOptions extends ModelClientOptions {
  apis: ReadonlyMap<string, LiveApi>
}

/** Limit of a body: of a response in bytes, of a request in characters. */
const maxBody = 2 ** 20
/** Statuses after which another try may succeed soon. */
const passing = new Set([408, 425, 429, 502, 503, 504])
const busy = new Set([429, 503])

/**
 * Asks like a model client: `buildLiveQuestion` makes the question, and the answer's text is a response.
 * Never rejects.
 */
export function createLiveClient({ apis, ...options }: LiveClientOptions): AskModel {
  const { env, pause, clock, random, retries = 6, backoffMs = 500, networks, resolve } = options
  const transport = options.fetch ?? createTransport(networks, env, resolve)
  const send: TryModel = async ({ name }, { messages }, signal) => {
    const api = apis.get(name) as LiveApi
    const request = parseLiveRequest(messages[0]?.content ?? '')
    const refused = (kind: 'host' | 'key' | 'request', reason: string): ModelAttempt => ({
      status: 'refused',
      kind,
      reason,
    })
    const url = buildLiveUrl(api, request)
    if (url === null) return refused('request', `${formatLiveRequest(request)} is outside the live API`)
    if (url.href.length > maxUrl)
      return refused('request', `${formatLiveRequest(request)} is a URL of more than ${maxUrl} characters`)
    const sent = request.body === undefined ? undefined : JSON.stringify(request.body)
    if (sent !== undefined && sent.length > maxBody)
      return refused(
        'request',
        `the body of ${formatLiveRequest(request)} has more than ${maxBody} characters`,
      )
    const fault = findHostFault(url, networks)
    if (fault !== null) return refused('host', fault)
    const extras = readExtras(api, env)
    if (!extras.ok) return refused('key', extras.reason)
    const { hide } = extras
    const settings = buildPaceSettings(name, api)
    const time = startTimer(signal, api.timeoutMs ?? defaultTimeoutMs)
    try {
      const response = await transport(withQuery(url, extras).href, {
        method: request.method,
        headers: buildLiveHeaders(extras, request),
        ...(sent !== undefined && { body: sent }),
        redirect: 'manual',
        signal: time.signal,
      })
      const { status } = response
      if (passing.has(status)) {
        await response.body?.cancel()
        const { headers } = response
        const after = { ms: headers.get('retry-after-ms'), text: headers.get('retry-after') }
        const afterMs = retryAfter(after, options.now())
        return {
          status: 'transient',
          reason: `the live API ${name} answered ${status}`,
          ...(busy.has(status) && { busy: true }),
          ...(afterMs !== null && { afterMs }),
        }
      }
      const body = await readLiveBody(response)
      if (body === null)
        return refused('request', `the live API ${name} answered with more than ${maxBody} bytes`)
      return {
        status: 'done',
        text: formatLiveResponse({ status, body: hide(body) }),
        finish: 'stop',
        usage: { requests: 1, promptTokens: 0, completionTokens: 0 },
      }
    } catch (error) {
      if (time.late) return createTimeout(settings)
      const connectionError = new APIConnectionError({ cause: error as Error })
      return classifyFailure(connectionError, settings, options.now, hide)
    } finally {
      time.clear()
    }
  }
  const ask = retried(paced(send, { clock, pause }), { pause, random, retries, backoffMs })
  return async (model, request, signal) => {
    const api = apis.get(model.name)
    if (!api)
      return {
        status: 'refused',
        kind: 'model',
        reason: `there is no live API ${JSON.stringify(model.name)}; declare it in STATEEVAL_LIVE_APIS_FILE`,
        retries: 0,
      }
    return ask({ name: model.name, settings: buildPaceSettings(model.name, api) }, request, signal)
  }
}

/** Its limits, as the pace of a model reads them. */
function buildPaceSettings(
  name: string,
  { keyHeader: _header, headers: _headers, query: _query, ...settings }: LiveApi,
): ModelSettings {
  return { ...settings, model: name }
}

/** Characters of a URL: servers hang up on longer ones, which would look like a server that is away. */
const maxUrl = 16_000
/** Parts of a path that URLs take for a step up, or for nothing, encoded or not. */
const steps = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i
/** Characters that URLs ignore. */
const ignored = /[\t\n\r]/g

/** null where the path leads out of the API. */
function buildLiveUrl({ baseUrl }: LiveApi, { path, query = {} }: LiveRequest): URL | null {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  if (
    !path.startsWith('/') ||
    steps.test(path.replace(ignored, '')) ||
    !URL.canParse(`${base.origin}${prefix}${path}`)
  )
    return null
  const url = new URL(`${base.origin}${prefix}${path}`)
  if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`)) return null
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url
}

function buildLiveHeaders({ headers }: RequestExtras, { body }: LiveRequest): Headers {
  const all = new Headers({ accept: 'application/json' })
  for (const [name, value] of headers) all.set(name, value)
  if (body !== undefined) all.set('content-type', 'application/json')
  return all
}

/** null where it is too long. */
async function readLiveBody({ body }: Response): Promise<string | null> {
  if (body === null) return ''
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body as ReadableStream<Uint8Array>) {
    parts.push(part)
    length += part.length
    if (length > maxBody) return null
  }
  return Buffer.concat(parts).toString('utf8')
}
