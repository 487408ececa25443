/** Watching during a restart: a server that goes away and comes back. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { createClient } from '@stateeval/client'
import { evaluationOperations } from '@stateeval/contracts'
import { createTerminal, type CommandTerminal } from '../terminal.ts'
import { watch } from './watch.ts'

const { signal } = new AbortController()
const state = (status: string) => ({ id: 'bm_1', status, progress: { done: 1, total: 2, phase: 'programs' } })
let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.close().closeAllConnections()
  servers = []
})
async function serve(port: number, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(port, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const says =
  (status: string): RequestListener =>
  (_, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(state(status)))

/** Watches a build of the service at a port. `steps` are the lines that a person reads. */
function watching(port: number, onStep: (text: string) => void, patienceMs?: number) {
  const client = createClient(evaluationOperations, { baseUrl: `http://127.0.0.1:${port}` })
  const silent = createTerminal(false, { stdout: { write: () => true }, stderr: { write: () => true } })
  const terminal: CommandTerminal = { ...silent, step: onStep }
  const get = () => client.getBenchmark({ params: { id: 'bm_1' } })
  return watch(
    { title: 'build', first: state('running') as Awaited<ReturnType<typeof get>>, get, later: 'look bm_1' },
    terminal,
    signal,
    patienceMs === undefined ? {} : { patienceMs },
  )
}

test('a service that goes away and comes back is waited for, and that is said once with the id and how to look later', async () => {
  const steps: string[] = []
  const port = await serve(0, (request) => {
    request.socket.destroy() // killed in the middle of a request
    servers[0]?.close()
  })
  const done = await watching(port, (text) => {
    steps.push(text)
    void serve(port, (request, response) => {
      servers[1]!.removeAllListeners('request').on('request', says('succeeded'))
      says('running')(request, response)
    })
  })
  expect(done.status).toBe('succeeded')
  expect(steps).toEqual([
    expect.stringMatching(
      /^The service cannot be reached\. Trying again for 60 s; build bm_1 .* later with: look bm_1$/,
    ),
  ])
})

test('an answer that breaks off, or a proxy that has nobody behind it, is waited for, too', async () => {
  const script: RequestListener[] = [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"id":', () => response.destroy())
    },
    (_, response) => void response.writeHead(502).end('bad gateway'),
    says('succeeded'),
  ]
  const port = await serve(0, (request, response) => script.shift()!(request, response))
  expect((await watching(port, () => {})).status).toBe('succeeded')
  expect(script).toEqual([])
})

test('one that stays away ends the watching: with the id, and how to look later', async () => {
  const port = await serve(0, says('running'))
  servers[0]!.close().closeAllConnections()
  await expect(watching(port, () => {}, 0)).rejects.toThrow(
    /build bm_1 cannot be watched: nothing answers .* later with: look bm_1$/,
  )
})

test('other errors are no reason to wait', async () => {
  const port = await serve(0, (_, response) => void response.writeHead(404).end('gone'))
  const steps: string[] = []
  await expect(watching(port, (text) => steps.push(text))).rejects.toThrow('gone')
  expect(steps).toEqual([])
})
