import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createProgram } from '../program.ts'

const variable = 'STATEEVAL_TRACE_GENERATION_URL'
const job = { id: 'gen_1', status: 'running', progress: { done: 0, total: 5, phase: 'generate' } }
const interrupted = new AbortController()
const server = createServer((request, response) => {
  request.resume()
  // It follows the job from then on.
  if (request.method === 'GET') interrupted.abort()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job))
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  process.env[variable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  Reflect.deleteProperty(process.env, variable)
  server.close()
})

test('the command that generates the same programs later has all options', async () => {
  const err: string[] = []
  const to = (texts: string[]) => ({ write: (text: string) => texts.push(text) > 0 }) as NodeJS.WriteStream
  const streams = { stdout: to([]), stderr: to(err), colors: false, progressLines: false }
  const args = ['--scenario', 'tensor-operation', '--scenario-option', 'elements=1024']
  expect(await createProgram(streams, interrupted.signal)(['generate', ...args])).toBe(2)
  expect(err.join('')).toMatch(/--scenario tensor-operation .*--scenario-option elements=1024/)
})
