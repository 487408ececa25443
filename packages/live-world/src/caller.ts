/** Requests to an API that somebody named: guarded, bounded, and counted. */
import {
  createNetworks,
  createTransport,
  findHostFault,
  HostRefused,
  type ResolveHost,
} from '@stateeval/models'
import type { LiveAnswer, LiveCaller, LiveRequest } from '@stateeval/world-model'

interface CallerOptions {
  baseUrl: string
  /** Networks besides public ones: loopback, private, an address, a subnet or a host. */
  allow?: readonly string[]
  headers?: Readonly<Record<string, string>>
  /** The number of calls after which no more are sent. */
  budget?: number
  timeoutMs?: number
  resolve?: ResolveHost
}

/** Limit of an answer in bytes. */
const maxBytes = 4 * 2 ** 20

/** A call that was not sent, or has no answer, with a remedy. */
export class CallRefusal extends Error {
  override readonly name = 'CallRefusal'
}

/** The counted calls to one API. */
export interface CountedCaller {
  send: LiveCaller
  /** The calls that were sent. */
  count: () => number
}

/** Throws a CallRefusal if the address is not allowed. */
export function createCaller(options: CallerOptions): CountedCaller {
  const { baseUrl, allow = [], headers = {}, budget = Infinity, timeoutMs = 30_000 } = options
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new CallRefusal(`${baseUrl} is not a URL. Use one such as http://127.0.0.1:8080.`)
  const networks = createNetworks(allow)
  const transport = createTransport(networks, {}, options.resolve)
  const base = new URL(baseUrl)
  const fault = findHostFault(base, networks)
  if (fault !== null) throw new CallRefusal(explainHostFault(fault))
  let calls = 0
  return {
    count: () => calls,
    async send(request) {
      if (calls >= budget)
        throw new CallRefusal(`The budget of ${budget} calls is used up. Raise it with --budget.`)
      calls++
      const url = buildUrl(base, request)
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const response = await transport(url, {
          ...buildMessage(request, headers),
          redirect: 'manual',
          signal,
        })
        return await readAnswer(response)
      } catch (error) {
        throw explainFault(error, `${request.method} ${request.path}`, timeoutMs)
      }
    },
  }
}

const explainHostFault = (fault: string) =>
  `${fault.split('. To allow it')[0]}. Allow it with --allow, such as --allow loopback.`

function explainFault(error: unknown, call: string, timeoutMs: number): Error {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth++
  ) {
    if (cause instanceof CallRefusal) return cause
    if (cause instanceof HostRefused) return new CallRefusal(explainHostFault(cause.message))
    if (cause.name === 'TimeoutError')
      return new CallRefusal(`${call} had no answer within ${timeoutMs / 1000} s.`)
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code === 'string') return new CallRefusal(`${call}: no connection (${code}).`)
  }
  return new CallRefusal(`${call}: no connection.`)
}

/** Parts of a path that lead out of the API. */
const steps = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i

function buildUrl(base: URL, { path, query }: LiveRequest): string {
  const url = new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`)
  if (url.origin !== base.origin || steps.test(path)) throw new CallRefusal(`${path} leads out of the API.`)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, value)
  return url.href
}

function buildMessage({ method, body }: LiveRequest, more: Readonly<Record<string, string>>) {
  const headers = { accept: 'application/json', ...more }
  if (body === undefined) return { method, headers }
  const type = body.media === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { method, headers: { ...headers, 'content-type': type }, body: body.text }
}

async function readAnswer(response: Response): Promise<LiveAnswer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > maxBytes) throw new CallRefusal(`An answer has more than ${maxBytes} bytes.`)
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  const headers = Object.fromEntries(
    ['etag', 'location', 'retry-after'].flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  try {
    const body = text === '' ? undefined : (JSON.parse(text) as LiveAnswer['body'])
    return { status: response.status, body, text, headers }
  } catch {
    return { status: response.status, body: undefined, text, headers }
  }
}
