import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { createTerminal } from '../terminal.ts'
import { trackBySetting } from './track.ts'

afterEach(() => {
  for (const name of ['STATEEVAL_URL', 'STATEEVAL_MLFLOW_URL']) Reflect.deleteProperty(process.env, name)
})

test('an evaluation that cannot be tracked keeps its outcome, whatever the reason', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' })
    response.end(
      JSON.stringify({ type: 'x', title: 'x', status: 404, detail: 'there is no evaluation ev_1' }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  process.env['STATEEVAL_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.env['STATEEVAL_MLFLOW_URL'] = 'http://127.0.0.1:1'
  const said: string[] = []
  const stream = { write: (text: string) => said.push(text) > 0 } as NodeJS.WriteStream
  const terminal = createTerminal(false, {
    stdout: stream,
    stderr: stream,
    colors: false,
    progressLines: false,
  })
  const { signal } = new AbortController()
  await trackBySetting('ev_1', { terminal, signal })
  server.close()
  await trackBySetting('ev_1', { terminal, signal })
  expect(said).toEqual([
    'Not tracked: there is no evaluation ev_1. Then run: npx stateeval track ev_1\n',
    expect.stringMatching(/^Not tracked: nothing answers at .* Then run: npx stateeval track ev_1\n$/),
  ])
})
