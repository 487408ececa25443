/**
 * Runs once before the first fork, so that every child inherits the loaded and compiled code of typical
 * programs.
 */
import { createServer, globalAgent } from 'node:http'
import { Writable } from 'node:stream'
import { Console } from 'node:console'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { capture } from './capture.ts'
import { Line } from './line.ts'
import type { Linux } from './linux.ts'
import { load } from './modules.ts'
import { type Axios, Recorder } from './recorder.ts'
import { resultText } from './result.ts'
import { surfaceHost } from './surface.ts'
import { askNow, readReply } from './calls.ts'
import { encodeFrame } from '@stateeval/runtime/protocol'
import type { ForkedJob } from '@stateeval/runtime'
import { readFrame } from './job.ts'
import { pretend } from './run.ts'

export interface Client extends Axios {
  get(url: string, config?: object): Promise<unknown>
  post(url: string, body: unknown, config?: object): Promise<unknown>
  put(url: string, body: unknown, config?: object): Promise<unknown>
  delete(url: string): Promise<unknown>
}
const times = 10
/** RLIMIT_CORE: nobody wants a core. */
const coreLimit = 4

/** Returns a function that removes everything unnecessary. */
export async function rehearse(linux: Linux): Promise<() => void> {
  const axios = load('axios') as Client
  await sent(axios)
  await captured(axios)
  printed()
  await called(linux)
  await run(linux)
  for (let n = 0; n < times; n++) {
    resultText({ a: [1, { b: 'c' }] }, 1e6)
    capture(new Error('x'))
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  return () => {
    for (let n = 0; n < 3; n++) collect()
  }
}

/** Requests of all kinds over HTTP, to a server that it starts and ends. */
export async function sent(axios: Client) {
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end('{"a":[1]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/x`
  for (let n = 0; n < times; n++) {
    await axios.get(url, { params: { a: 1 } })
    await axios.post(url, { a: 1 })
    await axios.put(url, { a: 1 }, { headers: { 'content-type': 'application/json' } })
    await axios.delete(url)
  }
  globalAgent.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

async function captured(axios: Client) {
  const { adapter } = axios.defaults
  const job = { reply: { status: 200, data: null }, maxRequests: 100, bytes: 1e6 }
  const recorder = new Recorder(job, () => {})
  recorder.attach(axios)
  for (let n = 0; n < times; n++) {
    await axios.get('https://a.b/x', { params: { a: 1, b: 'c d' }, headers: { Authorization: 'Bearer x' } })
    await axios.post('https://a.b/x', { a: { b: [1] } }, { params: { a: 1 } })
  }
  axios.defaults.adapter = adapter
}

function printed() {
  const nowhere = new Writable({ write: (_, __, done) => done() })
  const quiet = new Console(nowhere)
  for (let n = 0; n < times; n++) quiet.log('x %s', 1, { a: [1] })
}

/** What every child does, from its job to its outcome. */
async function run(linux: Linux) {
  const [one, other] = linux.socketPair()
  const job: ForkedJob = {
    source: '(async function(){RESULT={a}\n})',
    columnOffset: 0,
    variables: { a: [1] },
    baseUrl: null,
    resultBytes: 1e6,
    capture: null,
    surface: null,
    memoryMiB: 0,
    cpuSeconds: 1,
    tasks: null,
    randomSeed: 1,
  }
  for (let n = 0; n < times; n++) {
    const mark = linux.random()
    linux.send(one, Buffer.concat([mark, encodeFrame(JSON.stringify(job))]))
    await pretend(readFrame(mark, other) as ForkedJob, other)
    readFrame(undefined, one)
    linux.limit(coreLimit, 0, 0)
    linux.unblock(other)
    linux.restore(other)
    linux.close(-1)
  }
  linux.close(one)
  linux.close(other)
}

/** Calls of functions, answered at the other end of a pair of sockets. */
async function called(linux: Linux) {
  const [one, other] = linux.socketPair()
  const replyTo = (body: Buffer) => encodeFrame(`\x01${readReply(body)[0]} {"ok":true,"value":[1]}`)
  const far = new Line(
    other,
    (body) => far.write(replyTo(body)),
    () => {},
  )
  const waiting = new Map<number, (reply: string) => void>()
  const near = new Line(
    one,
    (body) => {
      const [id, reply] = readReply(body)
      waiting.get(id)?.(reply)
    },
    () => {},
  )
  let count = 0
  const host = surfaceHost(
    {
      call(name, args, settle) {
        waiting.set(++count, settle)
        near.write(encodeFrame(`\x01${count} ["${name}",${args}]`))
      },
      callSync(name, args) {
        far.write(encodeFrame(`\x01${++count} {"ok":true,"value":[1]}`))
        return askNow(near, count, name, args)
      },
    },
    { resultBytes: 1e6 },
  )
  for (let n = 0; n < times; n++) await host.call('x', { a: 1 })
  host.callSync('x', { a: 1 })
  await Promise.all([near.close(), far.close()])
}
