/**
 * Runs once before the first fork, so that every child inherits the loaded and compiled code of typical
 * programs.
 */
import { createServer, globalAgent } from 'node:http'
import { Writable } from 'node:stream'
import { Console } from 'node:console'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { captureThrown } from './capture.ts'
import { ChannelLine } from './line.ts'
import type { LinuxCalls } from './linux.ts'
import { load } from './modules.ts'
import type { AxiosParts } from './recorder.ts'
import { formatResult } from './result.ts'
import { createSurfaceHost } from './surface.ts'
import { askNow, readReply } from './calls.ts'
import { encodeFrame } from '@stateeval/runtime/protocol'
import type { ForkedJob } from '@stateeval/runtime'
import { readFrame } from './job.ts'
import { rehearseJob } from './run.ts'

/** The number of rehearsals, first and after the garbage collection. */
const [timesBefore, timesAfter] = [10, 3]
/** Members are in the host’s order: another order would give every child a new hidden class. */
const plain: ForkedJob = {
  source: '(async function(){RESULT={a}\n})',
  columnOffset: 0,
  variables: { a: [1] },
  resultBytes: 1e6,
  capture: null,
  surface: null,
  baseUrl: null,
  memoryMiB: 0,
  cpuSeconds: 1,
  tasks: null,
  randomSeed: 1,
}
/** Requests as models write them. */
const requests = `(async function () {
  const axios = require('axios')
  const headers = { Authorization: 'Bearer x' }
  await axios.get('https://a.b/x', { params: { a: 1, b: 'c d' }, headers })
  await axios.get('https://a.b/x', { headers })
  await axios.post('https://a.b/x', { a: { b: [1] } }, { params: { a: 1 }, headers })
  await axios.post('https://a.b/x', { a: 1 }, { headers })
  await axios.post('https://a.b/x', { a: 1 })
  await axios.put('https://a.b/x', { a: 1 }, { headers })
  await axios.patch('https://a.b/x', { a: 1 }, { headers })
  await axios.delete('https://a.b/x', { headers })
  await axios({ method: 'post', url: 'https://a.b/x', data: { a: 1 }, headers })
})`
const captured: ForkedJob = {
  ...plain,
  source: requests,
  capture: { status: 200, data: null, maxRequests: 100 },
}
const calls = `(async function () {
  const axios = require('axios')
  const url = \`\${BASE_URL}/x\`
  await axios.get(url)
  await axios.get(url, { params: { a: 1, b: 'c d' } })
  const { data } = await axios.post(url, { a: 1 })
  await axios.put(\`\${url}/1\`, { a: 1 })
  await axios.delete(\`\${url}/1\`)
  RESULT = data
})`
/** RLIMIT_CORE: nobody wants a core. */
const coreLimit = 4

interface RehearsalResult {
  /**
   * Collects garbage, then rehearses again: a collection drops hidden classes without live objects, and
   * inline caches that refer to them. Every child would otherwise rebuild them.
   */
  settle: () => Promise<void>
  /** Collects the young generation, so that children need not. */
  collectYoung: () => void
}

export async function startRehearsal(linux: LinuxCalls): Promise<RehearsalResult> {
  const axios = load('axios') as AxiosParts
  await runRehearsals(axios, linux, timesBefore)
  await rehearseCalls(linux)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const collectYoung = () => collect({ type: 'minor' })
  return {
    async settle() {
      for (let n = 0; n < 3; n++) collect()
      await runRehearsals(axios, linux, timesAfter)
      // The second one promotes what the first one has left.
      collectYoung()
      collectYoung()
    },
    collectYoung,
  }
}

async function runRehearsals(axios: AxiosParts, linux: LinuxCalls, times: number) {
  await run(linux, plain, times)
  // Each run calls most functions several times.
  const half = Math.ceil(times / 2)
  await serveDuring((baseUrl) => run(linux, { ...plain, source: calls, baseUrl }, half))
  const { adapter } = axios.defaults
  await run(linux, captured, half)
  axios.defaults.adapter = adapter
  rehearsePrinting(times)
  for (let n = 0; n < times; n++) {
    formatResult({ a: [1, { b: 'c' }] }, 1e6)
    captureThrown(new Error('x'))
  }
}

/** Runs a server that answers any request, until the work with its address is done. */
export async function serveDuring(work: (url: string) => Promise<void>) {
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end('{"a":[1]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await work(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  globalAgent.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

function rehearsePrinting(times: number) {
  const nowhere = new Writable({ write: (_, __, done) => done() })
  const quiet = new Console(nowhere)
  for (let n = 0; n < times; n++) quiet.log('x %s', 1, { a: [1] })
}

/** Runs a child from its job to its outcome. */
async function run(linux: LinuxCalls, job: ForkedJob, times: number) {
  const [one, other] = linux.socketPair()
  for (let n = 0; n < times; n++) {
    const mark = linux.random()
    linux.send(one, Buffer.concat([mark, encodeFrame(JSON.stringify(job))]))
    await rehearseJob(readFrame(mark, other) as ForkedJob, other)
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
async function rehearseCalls(linux: LinuxCalls) {
  const [one, other] = linux.socketPair()
  const replyTo = (body: Buffer) => encodeFrame(`\x01${readReply(body)[0]} {"ok":true,"value":[1]}`)
  const far = new ChannelLine(
    other,
    (body) => far.write(replyTo(body)),
    () => {},
  )
  const waiting = new Map<number, (reply: string) => void>()
  const near = new ChannelLine(
    one,
    (body) => {
      const [id, reply] = readReply(body)
      waiting.get(id)?.(reply)
    },
    () => {},
  )
  let count = 0
  const host = createSurfaceHost(
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
  for (let n = 0; n < timesBefore; n++) await host.call('x', { a: 1 })
  host.callSync('x', { a: 1 })
  await Promise.all([near.close(), far.close()])
}
