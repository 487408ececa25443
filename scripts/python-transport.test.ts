/** The client for Python, with the standard library alone, against answers that services rarely give. */
import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from './generated.ts'

const hasPython = spawnSync('python3', ['-c', 'from typing import Unpack']).status === 0
if (!hasPython) console.info('skipped: the client for Python: there is no python3 of version 3.11 or later')
const inPython = hasPython ? test : test.skip

let answer = { status: 200, type: 'application/json', body: '' }
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
})
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(() => void server.close())

/** What a script prints as JSON. */
async function printed(script: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('python3', ['-c', script], {
    env: {
      ...process.env,
      PYTHONPATH: join(root, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      STATEEVAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  })
  return JSON.parse(stdout)
}

inPython(
  'JSON of a proxy’s own, in place of a service that is away, has the status of its answer',
  async () => {
    const script = `
import json
from stateeval import ServiceError, StateEval
try:
    StateEval().evaluation("ev_1")
except ServiceError as error:
    print(json.dumps([error.status, str(error)]))
`
    answer = { status: 502, type: 'application/json', body: '{"message": "no upstream"}' }
    expect(await printed(script)).toEqual([502, '{"message": "no upstream"}'])
    answer = { status: 503, type: 'application/json', body: '{"status": "error"}' }
    expect(await printed(script)).toEqual([503, '{"status": "error"}'])
  },
)

inPython('prompts with separators of lines that JSON may contain are read as they are', async () => {
  const script = `
import json, sys, types
datasets = types.SimpleNamespace(Dataset=types.SimpleNamespace(from_list=lambda rows: rows))
sys.modules["datasets"] = datasets
from stateeval.lm_eval.harness import dataset
print(json.dumps([row["prompt"] for row in dataset(benchmark="bm_1")["test"]]))
`
  const prompts = ['a\u2028b\u0085c', 'd']
  const body = prompts
    .map((content, n) => JSON.stringify({ case: `c${n}`, messages: [{ role: 'user', content }] }))
    .join('\n')
  answer = { status: 200, type: 'application/jsonl; charset=utf-8', body: `${body}\n` }
  expect(await printed(script)).toEqual(prompts)
})
