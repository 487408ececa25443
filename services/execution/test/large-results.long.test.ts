/**
 * Results of any size: none is lost with the process, none is whole in memory. STATEEVAL_LONG=1 takes batches
 * of 640 MB, whose results as one text no JavaScript program can hold; else a tenth.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Execution, ExecutionRequest, ObservedInput, Problem } from '@stateeval/contracts'
import { maxAnswerBytes } from '@stateeval/contracts'
import {
  isLong,
  namespace,
  type Servers,
  type ServiceProcess,
  startProcess,
  startServers,
  until,
} from '@stateeval/testkit'

const longTest = isLong ? test : test.skip
/**
 * A service that has just started has 170 MiB, and garbage takes its time. All results of one batch would be
 * 640 MB, or 32.
 */
const maxMiB = 600
const size = 1_000_000

let servers: Servers
let service: ServiceProcess
beforeAll(async () => {
  servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_CONCURRENCY: '2',
    LOG_LEVEL: 'error',
  }
  service = await startProcess('execution', env)
})
afterAll(async () => {
  await service?.kill()
  await servers?.stop()
})

async function talk<T = Execution>(path: string, body?: unknown): Promise<{ status: number; body: T }> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${service.url}${path}`, init)
  return { status: response.status, body: (await response.json()) as T }
}
const program = (inputs: number, code: string): ExecutionRequest => ({
  language: 'javascript',
  code,
  world: 'none',
  inputs: Array.from({ length: inputs }, (_, n) => ({ variables: { n }, world: {} })),
})
const large = (programs: number, inputs: number) => ({
  batch: Array.from({ length: programs }, () => program(inputs, `RESULT = [n, 'x'.repeat(${size})]`)),
})
/** Places of all observations in the order of the pages, each held against its program. */
async function places(execution: Execution): Promise<string[]> {
  const list: string[] = []
  let next: string | undefined
  do {
    const cursor = next === undefined ? '' : `&cursor=${next}`
    const response = await fetch(`${service.url}${execution.links['results']}?limit=500${cursor}`)
    const text = await response.text()
    expect(text.length).toBeLessThan(maxAnswerBytes + 10_000)
    const page = JSON.parse(text) as { items: ObservedInput[]; next?: string }
    for (const { program, input, observation } of page.items) {
      const { ending } = observation
      const [n, filled] = (ending.status === 'completed' ? ending.result : [ending.status, '']) as [
        number,
        string,
      ]
      expect([n, filled.length]).toEqual([input, size])
      list.push(`${program}.${input}`)
    }
    next = page.next
  } while (next !== undefined)
  return list
}
const expected = (programs: number, inputs: number) =>
  Array.from({ length: programs * inputs }, (_, n) => `${Math.floor(n / inputs)}.${n % inputs}`)

test('a batch whose results are larger than an answer is answered as finished, and survives kill -9 right after', async () => {
  const [programs, inputs] = isLong ? [40, 16] : [4, 8]
  const { status, body } = await talk('/v1/executions?wait=110', large(programs, inputs))
  await service.kill()
  const { results, ...rest } = body
  expect([status, body.status, results]).toEqual([200, 'succeeded', undefined])
  expect(body.resultBytes).toBeGreaterThan(programs * inputs * size)
  await service.start()
  expect((await talk(body.links['self']!)).body).toEqual(rest)
  expect(await places(body)).toEqual(expected(programs, inputs))
  // Nothing that comes later waits behind it.
  const { body: small } = await talk('/v1/executions?wait=30', program(1, 'RESULT = n'))
  await service.kill()
  await service.start()
  expect((await talk(small.links['self']!)).body).toEqual(small)
  expect(small.result!.observations[0]!.ending).toEqual({ status: 'completed', result: 0 })
  const { body: listed } = await talk<{ items: Execution[] }>('/v1/executions?limit=500')
  const ours = [body.id, small.id]
  expect(listed.items.map(({ id }) => id).filter((id) => ours.includes(id))).toEqual(ours)
})

test('a result that an answer still holds is in it, byte for byte, and on its page', async () => {
  const { body } = await talk('/v1/executions?wait=60', program(3, `RESULT = 'x'.repeat(${size})`))
  expect(body.result!.observations.map(({ ending }) => ending)).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'completed', result: 'x'.repeat(size) })),
  )
  expect((await talk(body.links['self']!)).body).toEqual(body)
  const { body: page } = await talk<{ items: ObservedInput[] }>(body.links['results']!)
  expect(page.items.map(({ observation }) => observation)).toEqual(body.result!.observations)
})

longTest(
  'six batches at a time, by the queue, stay within bounded memory, also while all of them are read',
  async () => {
    const [programs, inputs] = [10, 64]
    await service.kill()
    await service.start()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => talk('/v1/executions', large(programs, inputs))),
    )
    const ended = await Promise.all(
      answers.map(({ body }) =>
        until(
          async () =>
            ((now) => (now.status === 'succeeded' || now.status === 'failed') && now)(
              (await talk(body.links['self']!)).body,
            ),
          {
            withinMs: 1_000_000,
            everyMs: 500,
          },
        ),
      ),
    )
    const pages = await Promise.all(ended.map((one) => places(one as Execution)))
    expect(pages).toEqual(Array.from({ length: 6 }, () => expected(programs, inputs)))
    expect(service.peakMiB()).toBeLessThan(maxMiB)
  },
)

test('an observation larger than one may be is cut to its ending, and the other inputs are as they were', async () => {
  // Control characters are six bytes each as JSON, so the output of one input has 60 MB there.
  const code = `if (n === 1) console.log('\\u0001'.repeat(9_900_000)); RESULT = n`
  const limits = { outputKiB: 10_240, wallMs: 60_000, cpuSeconds: 60 }
  const { body } = await talk('/v1/executions?wait=110', { ...program(3, code), limits })
  const [first, cut, last] = body.result!.observations
  expect([first!.ending, last!.ending]).toEqual([0, 2].map((result) => ({ status: 'completed', result })))
  expect(cut).toMatchObject({
    ending: { status: 'killed', by: 'result', detail: expect.stringContaining('33554432 bytes') },
    output: '',
    world: null,
  })
})

test('limits under which results could never be kept are refused, with the field and what to do', async () => {
  const { status, body } = await talk<Problem>('/v1/executions', {
    batch: [{ ...program(64, 'RESULT = 1'), limits: { resultKiB: 10_240 } }],
  })
  expect([status, body.field]).toEqual([422, '/batch/0/limits/resultKiB'])
  expect(body.detail).toMatch(/may have at most 131072 KiB; lower resultKiB, or send fewer inputs$/)
})

test('pages that can’t be are told apart', async () => {
  const { body } = await talk('/v1/executions?wait=30', program(1, 'RESULT = 1'))
  const page = async (query: string) => {
    const { status, body: answer } = await talk<Problem & { items: ObservedInput[] }>(
      `${body.links['results']}${query}`,
    )
    return [status, answer.field ?? answer.items.length]
  }
  expect(await page('?cursor=0.0')).toEqual([200, 1])
  expect(await page('?cursor=1.0')).toEqual([400, 'cursor'])
  expect(await page('?cursor=x')).toEqual([400, 'cursor'])
  const { body: slow } = await talk(
    '/v1/executions',
    program(1, 'await new Promise((go) => setTimeout(go, 9000)); RESULT = 1'),
  )
  const { status, body: early } = await talk<Problem>(slow.links['results']!)
  expect([status, early.detail]).toEqual([409, expect.stringContaining('0 of 1 programs have run')])
  await talk(slow.links['cancel']!, {}).catch(() => undefined)
  expect((await talk<Problem>('/v1/executions/exe_none/results')).status).toBe(404)
})
