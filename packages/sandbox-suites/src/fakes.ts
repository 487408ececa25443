/** A world in memory for tests: it keeps JSON under paths, and can be told to fail. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonValue, JsonObject, LoggedRequest } from '@stateeval/contracts'
import { InitialError, type OpenWorld, type SandboxWorld } from '@stateeval/sandbox'
import { serve } from './served.ts'

export interface FakeWorld extends SandboxWorld {
  /** Worlds that are open now. */
  opened(): number
  /** From now on, open() rejects or observe() reports a fault, so many times. */
  fail(what: 'open' | 'observe', times: number): void
}

/**
 * GET answers the path’s value or 404, PUT keeps the body, DELETE removes it, POST appends the body under the
 * id that it answers; GET /slow answers after 200 ms, and GET /fault makes the world fail. The initial world
 * is an object of path → value.
 */
export function createFakeWorld(): FakeWorld {
  let open = 0
  const failures = { open: 0, observe: 0 }
  return {
    id: 'fake',
    opened: () => open,
    fail: (what, times) => void (failures[what] += times),
    async open(initial, limits) {
      if (failures.open > 0) throw new Error(`open failed, ${--failures.open} to come`)
      if (typeof initial !== 'object' || initial === null)
        throw new InitialError('world: give an object of path and value')
      open++
      return openFake(
        structuredClone(initial) as JsonObject,
        limits.requests,
        () => failures.observe > 0 && failures.observe-- > 0,
        () => open--,
      )
    },
    async close() {},
  }
}

function openFake(
  items: JsonObject,
  maxRequests: number,
  faulty: () => boolean,
  closed: () => void,
): OpenWorld {
  const log: LoggedRequest[] = []
  const createdPaths: string[] = []
  const faults: string[] = []
  let requests = 0
  async function handle(request: IncomingMessage, response: ServerResponse, text: string) {
    const path = request.url ?? '/'
    const [status, body] =
      ++requests > maxRequests ? [429, null] : await answer(request.method ?? 'GET', path, text)
    log.push({ method: request.method ?? 'GET', path, status, ...(text !== '' && { requestBody: text }) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  async function answer(method: string, path: string, text: string): Promise<[number, JsonValue]> {
    if (path === '/slow') await new Promise((resolve) => setTimeout(resolve, 200))
    if (path.startsWith('/fault')) faults.push(`the fake failed at ${path}`)
    switch (method) {
      case 'PUT':
        items[path] = JSON.parse(text) as JsonValue
        return [200, items[path]]
      case 'POST': {
        const id = `${path}/${createdPaths.length}`
        createdPaths.push(id)
        items[id] = JSON.parse(text) as JsonValue
        return [201, { id }]
      }
      case 'DELETE':
        delete items[path]
        return [200, null]
      default:
        return path in items
          ? [200, items[path] as JsonValue]
          : path === '/slow'
            ? [200, 'slow']
            : [404, { error: 'not found' }]
    }
  }
  const { channel, settled, close } = serve(handle)
  return {
    channel,
    async observe() {
      await settled()
      return {
        world: { state: items, ids: { initial: [], created: createdPaths }, gone: [] },
        log,
        faults: faulty() ? ['the fake was told to fail'] : faults,
        ...(requests > maxRequests && { exceeded: 'requests' as const }),
      }
    },
    async close() {
      if (close()) closed()
    },
  }
}
