/** What a canary finds, in a run that is made up. */
import { expect, test } from '@jest/globals'
import { Duplex } from 'node:stream'
import type { CellEnd, CellJob } from '../cell.ts'
import type { RunOutcome } from '../protocol.ts'
import { checkByCanary, UncheckedRuns } from './canary.ts'

const program = { source: '', columnOffset: 0 }
const http = { http: true, hasFiles: false }
const end = (outcome: RunOutcome, more: Partial<CellEnd> = {}): CellEnd => ({
  killed: undefined,
  code: 0,
  reading: { kind: 'outcome', outcome, requests: [] },
  output: '',
  outOfMemory: false,
  bail: null,
  cpuMs: 1,
  ...more,
})
const completed = (result: { reply: string | null; files: string[] }, more?: Partial<CellEnd>) =>
  end({ status: 'completed', result }, more)

/** Sends a request as a process in the jail does. */
function request({ accept }: CellJob, path: unknown) {
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  accept!(connection)
  connection.push(`GET /${String(path)} HTTP/1.1\r\nhost: x\r\n\r\n`)
  return new Promise((resolve) => setImmediate(resolve))
}

/** The canary’s own request, then its end. */
const asExpected = async (job: CellJob, more?: Partial<CellEnd>) => {
  const path = job.job.variables['path'] as string
  await request(job, path)
  return completed({ reply: path, files: [] }, more)
}

test.each<[string, (job: CellJob) => Promise<CellEnd>, string | undefined]>([
  ['all is as expected', (job) => asExpected(job), undefined],
  [
    'a second request',
    async (job) => {
      await request(job, 'left')
      return asExpected(job)
    },
    'somebody else’s request',
  ],
  ['no request', async () => completed({ reply: 'x', files: [] }), 'another reply'],
  ['output', (job) => asExpected(job, { output: 'x' }), 'somebody else’s output'],
  [
    'files',
    async (job) => {
      await asExpected(job)
      return completed({ reply: job.job.variables['path'] as string, files: ['x'] })
    },
    'files',
  ],
  [
    'a second frame',
    (job) => asExpected(job, { reading: { kind: 'violation', reason: 'not exactly one frame' } }),
    'not exactly one frame',
  ],
  ['an end by the host', (job) => asExpected(job, { killed: 'wall' }), 'wall'],
  [
    'a jail that is gone',
    async () => end({ status: 'memory' }, { reading: { kind: 'nothing' } }),
    'no outcome',
  ],
  ['an error', async () => end({ status: 'no_result', reason: 'x' }), '{"status":"no_result","reason":"x"}'],
])('%s', async (_, run, expected) => {
  expect(await checkByCanary(program, http, run)).toBe(expected)
})

test('without HTTP, any request is somebody else’s', async () => {
  const none = { http: false, hasFiles: false }
  expect(
    await checkByCanary(program, none, async () => completed({ reply: null, files: [] })),
  ).toBeUndefined()
})

test('files that are known are no finding', async () => {
  const run = async (job: CellJob) => {
    await request(job, job.job.variables['path'])
    return completed({ reply: job.job.variables['path'] as string, files: ['x'] })
  }
  expect(await checkByCanary(program, { http: true, hasFiles: true }, run)).toBeUndefined()
})

test('runs since the last canary are settled together, and only who waits asks for one', async () => {
  let asked = 0
  const runs = new UncheckedRuns(() => asked++)
  const [first, second] = [runs.add(), runs.add()]
  const refuted: string[] = []
  first.onRefuted(() => refuted.push('first'))
  expect([asked, runs.count, runs.isAwaited]).toEqual([0, 2, false])
  const confirmed = second.confirm()
  expect([asked, runs.isAwaited]).toEqual([1, true])
  runs.settle(false)
  expect(await confirmed).toBe(false)
  expect([refuted, runs.count, runs.isAwaited]).toEqual([['first'], 0, false])
  const third = runs.add()
  runs.settle(true)
  expect(await third.confirm()).toBe(true)
  expect([asked, await first.confirm()]).toEqual([1, false])
})
