/**
 * The world of both suites: keeps JSON under paths like the fake one, serves sessions as the session service
 * does, and answers oddly where a path asks for it. Its log holds the headers of every request, so that two
 * levels that differ on the wire are seen to differ.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type JsonValue, type JsonObject, type LoggedRequest, toJson } from '@stateeval/contracts'
import { serve } from './served.ts'
import type { OpenWorld, SandboxWorld } from '@stateeval/sandbox'
import { Sessions } from './sessions.ts'

interface SuiteWorld extends SandboxWorld {
  /** Worlds that are open now. */
  opened(): number
}

type HttpReply = [
  status: number,
  body: string | Buffer | undefined,
  headers?: Record<string, string | string[]>,
]
const json = (status: number, value: JsonValue, headers = {}): HttpReply => [
  status,
  JSON.stringify(value),
  { 'content-type': 'application/json', ...headers },
]

/** The initial world: paths and their values, and `items` for the sessions. */
export function createSuiteWorld(): SuiteWorld {
  let opened = 0
  return {
    id: 'suite',
    opened: () => opened,
    async open(initial, limits) {
      opened++
      return openOne(structuredClone(initial) as JsonObject, limits.requests, () => opened--)
    },
    async close() {},
  }
}

function openOne(
  { items: initial = [], ...paths }: JsonObject,
  maxRequests: number,
  closed: () => void,
): OpenWorld {
  const log: LoggedRequest[] = []
  const sessions = new Sessions(
    (initial as JsonObject[]).map(({ source, type, data = null }) => ({
      source: String(source),
      type: String(type),
      data,
    })),
  )
  let requests = 0
  async function handle(request: IncomingMessage, response: ServerResponse, body: string) {
    const path = request.url ?? '/'
    const method = request.method ?? 'GET'
    if (++requests > maxRequests) return void response.destroy()
    const entry: LoggedRequest = {
      method,
      path,
      status: 0,
      requestBody: `${request.rawHeaders.join('\n')}\n\n${body}`,
    }
    log.push(entry)
    if (path === '/broken') return void response.destroy()
    const [status, text, headers] = await answer(request, method, path, body)
    entry.status = status
    response.writeHead(status, headers).end(text)
  }
  async function answer(
    request: IncomingMessage,
    method: string,
    path: string,
    body: string,
  ): Promise<HttpReply> {
    const odd = await oddity(request, method, path, body)
    if (odd) return odd
    const session =
      path.startsWith('/api/sessions/') && sessions.answer(method, new URL(path, 'http://world'), body)
    if (session) return session[1] === undefined ? [session[0], undefined] : json(session[0], session[1])
    return keep(paths, method, path, body)
  }
  const { channel, settled, close } = serve(handle)
  return {
    channel,
    async observe() {
      await settled()
      const { items, ids, gone } = sessions
      return {
        world: { state: { paths, items }, ids, gone },
        log,
        faults: [],
        ...(requests > maxRequests && { exceeded: 'requests' as const }),
      }
    },
    async close() {
      if (close()) closed()
    },
  }
}

function keep(paths: JsonObject, method: string, path: string, body: string): HttpReply {
  switch (method) {
    case 'PUT':
    case 'PATCH':
      try {
        paths[path] =
          method === 'PUT'
            ? (JSON.parse(body) as JsonValue)
            : { ...(paths[path] as JsonObject), ...(JSON.parse(body) as JsonObject) }
      } catch {
        return json(400, { error: 'the body is not JSON', code: 'BAD_BODY' })
      }
      return json(200, paths[path])
    case 'POST': {
      const id = Object.keys(paths).filter((key) => key.startsWith(`${path}/`)).length + 1
      paths[`${path}/${id}`] = body
      return json(201, { id, path }, { location: `${path}/${id}` })
    }
    case 'DELETE':
      if (!(path in paths)) return json(404, { error: 'not found' })
      delete paths[path]
      return [204, undefined]
    case 'HEAD':
      return [path in paths ? 200 : 404, undefined, { 'x-length': '1' }]
    default:
      return path in paths ? json(200, paths[path]!) : json(404, { error: 'not found', path })
  }
}

/** Answers that aren't plain JSON, and /echo. */
async function oddity(
  request: IncomingMessage,
  method: string,
  path: string,
  body: string,
): Promise<HttpReply | undefined> {
  const [, name, argument = ''] = path.split('?')[0]!.split('/')
  const { headers } = request
  switch (name) {
    case 'echo':
      return json(200, { method, path, headers: toJson(headers), body })
    case 'status':
      return json(
        Number(argument),
        { status: Number(argument) },
        argument.startsWith('3') ? { location: '/echo' } : {},
      )
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, Number(argument) || 50))
      return json(200, { slow: Number(argument) })
    case 'text':
      return [200, 'plain text, not JSON', { 'content-type': 'text/plain; charset=utf-8' }]
    case 'html':
      return [200, '<!doctype html><p>Grüße</p>', { 'content-type': 'text/html' }]
    case 'badjson':
      return [200, '{"a": 1,', { 'content-type': 'application/json' }]
    case 'nothing':
      return [200, undefined]
    case 'quoted':
      return json(200, 'a text')
    case 'null':
      return json(200, null)
    case 'number':
      return json(200, 42)
    case 'bom':
      return [200, '\ufeff{"a":1}', { 'content-type': 'application/json' }]
    case 'bytes':
      return [200, Buffer.from([0, 255, 128, 65, 10]), { 'content-type': 'application/octet-stream' }]
    case 'gzip':
      return [
        200,
        gzipSync('{"zipped":true}'),
        { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      ]
    case 'cookies':
      return json(
        200,
        {},
        { 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-many': ['1', '2'], 'x-mixed-Case': 'Yes' },
      )
    case 'large':
      return json(
        200,
        Array.from({ length: Number(argument) || 1000 }, (_, n) => ({
          id: n,
          name: `item ${n}`,
          tags: ['a', 'b'],
        })),
      )
    case 'flaky': {
      const attempt = Number(headers['x-attempt'] ?? 0)
      return attempt < Number(argument)
        ? json(503, { error: 'try again' }, { 'retry-after': '0' })
        : json(200, { attempt })
    }
    case 'latin1':
      return [200, Buffer.from('caf\xe9', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' }]
    default:
      return undefined
  }
}
