import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { EvaluationResource } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { createTerminal } from '../terminal.ts'
import { concludeEvaluation } from './conclude.ts'

const answers: (readonly [status: number, body: object])[] = [
  [200, { result: {}, run: {} }],
  [503, { message: 'no endpoints' }],
  [200, { evaluation: 'ev_1', passed: true, checks: [], notes: [] }],
]
const server = createServer((request, response) => {
  request.resume()
  const [status, body] = answers.shift()!
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  process.env['STATEEVAL_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  Reflect.deleteProperty(process.env, 'STATEEVAL_URL')
  server.close()
})

test('a service that restarts between the report and the gate does not cost the gate', async () => {
  const out: string[] = []
  const to = (texts: string[]) => ({ write: (text: string) => texts.push(text) > 0 }) as NodeJS.WriteStream
  const terminal = createTerminal(true, {
    stdout: to(out),
    stderr: to([]),
    colors: false,
    progressLines: false,
  })
  const first = partial<EvaluationResource>({
    ...{ id: 'ev_1', model: 'm', benchmark: 'bm_1', status: 'succeeded' },
    counts: { samples: 1 },
  })
  const { signal } = new AbortController()
  expect(await concludeEvaluation(first, { options: { gate: 0.8 }, terminal, signal })).toBe(0)
  expect(JSON.parse(out.join(''))).toMatchObject({ evaluation: 'ev_1', gate: { passed: true } })
})
