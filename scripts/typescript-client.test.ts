/** The client for TypeScript, while a service restarts behind a proxy. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { connect } from '../clients/typescript/src/index.ts'

/** What is answered, in turn. */
let answers: (readonly [status: number, body: string])[] = []
const server = createServer((_request, response) => {
  const [status, body] = answers.shift()!
  const type = body.startsWith('{') ? 'application/json' : 'text/html'
  response.writeHead(status, { 'content-type': type }).end(body)
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const job = (status: string) =>
  JSON.stringify({ id: 'ev_1', status, progress: { done: 0, total: 1, phase: 'evaluate' } })

test('what a proxy answers for a service that restarts does not end the wait; a refusal does', async () => {
  const suite = connect({ url })
  const request = { benchmark: 'bm_1', model: 'reference' }
  answers = [
    [202, job('queued')],
    [502, 'bad gateway'],
    [503, '{"message":"no endpoints"}'],
    [504, 'too late'],
    [200, job('succeeded')],
  ]
  expect(await suite.evaluate(request)).toMatchObject({ status: 'succeeded' })
  answers = [
    [202, job('queued')],
    [404, 'not found'],
  ]
  await expect(suite.evaluate(request)).rejects.toThrow('not found')
})
