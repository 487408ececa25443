/** Callers get their answer, also one that comes while they still send; and none holds a connection. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'
import { type LingerBounds, LingeringSockets } from '../src/http/linger.ts'
import { createLog, type RunningService, startService } from '../src/index.ts'
import { toy } from './toy.ts'

let servers: Servers
let service: RunningService<unknown>
beforeAll(async () => {
  servers = await startServers()
  const env = { ...servers.env, PORT: '0', STATEEVAL_NAMESPACE: namespace(), STATEEVAL_MAX_LAG_MS: '0' }
  const log = createLog('toy', { level: 'fatal' })
  service = await startService(toy, { env, log })
})
afterAll(async () => {
  await service?.stop(0)
  await servers?.stop()
})

interface Early {
  method?: string
  url?: string
  type?: string
  host?: string
  isChunked?: boolean
}
const early: Record<string, [Early, status: number]> = {
  'too large as it announces': [{}, 413],
  'too large as it turns out': [{ isChunked: true }, 413],
  'of an unknown type': [{ type: 'text/plain' }, 415],
  'of whom nobody knows': [{ host: 'elsewhere' }, 403],
  'for a malformed path': [{ url: '/v1/things/%' }, 404],
  'for a method that it does not take': [{ method: 'PUT' }, 405],
  'of a method that nobody knows': [{ method: 'BREW' }, 405],
}
const mebibytes = 24
const piece = Buffer.alloc(2 ** 20, ' ')
const port = () => Number(new URL(service.url).port)

/** What a caller gets that reads only after everything is sent. */
async function answerTo(request: Early): Promise<string> {
  const { method = 'POST', url = '/v1/things', type = 'application/json', host = 'localhost' } = request
  const { isChunked = false } = request
  const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${mebibytes * piece.length}`
  const socket = connect(port(), '127.0.0.1')
  socket.pause()
  const send = (data: string | Buffer) =>
    new Promise<void>((resolve, reject) => socket.write(data, (error) => (error ? reject(error) : resolve())))
  await send(`${method} ${url} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n`)
  for (let n = 0; n < mebibytes; n++) {
    if (isChunked) await send(`${piece.length.toString(16)}\r\n`)
    await send(piece)
    if (isChunked) await send('\r\n')
  }
  if (isChunked) await send('0\r\n\r\n')
  return text(socket)
}

test.each(Object.entries(early))('a body %s: its sender reads the answer', async (_, [request, status]) => {
  const answer = await answerTo(request)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toMatch(/"requestId":"[^"]+"\}$/)
})

test.each(Object.entries(early).filter(([, [{ method, host }]]) => method !== 'BREW' && !host))(
  'a body %s: fetch and http.client read the answer',
  async (_, [{ method = 'POST', url = '/v1/things', type = 'application/json', isChunked }, status]) => {
    const pieces = Array.from({ length: mebibytes }, () => piece)
    const answer = await fetch(service.url + url, {
      ...{ method, headers: { 'content-type': type } },
      ...(isChunked
        ? { body: ReadableStream.from(pieces), duplex: 'half' }
        : { body: Buffer.concat(pieces) }),
    })
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ status })])
    const program = `
import http.client, json, sys
pieces = [b" " * ${piece.length}] * ${mebibytes}
client = http.client.HTTPConnection("127.0.0.1", ${port()})
client.request(${JSON.stringify(method)}, ${JSON.stringify(url)}, iter(pieces) if ${isChunked ? 'True' : 'False'} else b"".join(pieces), {"content-type": ${JSON.stringify(type)}})
answer = client.getresponse()
print(answer.status, json.loads(answer.read())["status"])`
    const { stdout } = await promisify(execFile)('python3', ['-c', program])
    expect(stdout).toBe(`${status} ${status}\n`)
  },
)

test('a connection is kept where little of a refused body follows', async () => {
  const refused = 'PUT /v1/things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\nabc'
  const last = 'GET /v1/things/a HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
  const socket = connect(port(), '127.0.0.1')
  socket.write(refused + last)
  const answers = await text(socket)
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 200'])
})

/** A server that answers each request for the last time, and what it has read of its connections. */
async function lingeringServer(bounds: LingerBounds) {
  const lingering = new LingeringSockets(bounds)
  const sockets: Socket[] = []
  const server = createServer((_request, response) => response.end('no'))
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.destroySoon = () => lingering.close(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const begin = async () => {
    // One that goes on when it has its answer.
    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    caller.on('error', () => undefined)
    caller.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${2 ** 40}\r\n\r\n`)
    await once(caller, 'data')
    return caller
  }
  return { server, sockets, begin }
}

test('an endless body is read up to a bound, and holds its connection for a while only', async () => {
  const bytes = 4 * 2 ** 20
  const { server, sockets, begin } = await lingeringServer({ ms: 500, bytes, sockets: 9 })
  const caller = await begin()
  const sending = () => void (caller.writable && caller.write(piece, sending))
  sending()
  await once(sockets[0]!, 'close')
  expect(sockets[0]!.bytesRead).toBeGreaterThan(bytes)
  expect(sockets[0]!.bytesRead).toBeLessThan(bytes + 2 ** 20)
  await until(() => caller.destroyed)
  server.close()
})

test('of too many connections, the oldest goes', async () => {
  const { server, sockets, begin } = await lingeringServer({ ms: 2 ** 30, bytes: 1, sockets: 3 })
  const callers: Socket[] = []
  for (let n = 0; n < 8; n++) callers.push(await begin())
  await until(() => sockets.filter(({ destroyed }) => destroyed).length === 5)
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([...Array(5).fill(true), ...Array(3).fill(false)])
  server.closeAllConnections()
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true)
  for (const caller of callers) caller.destroy()
  server.close()
})
