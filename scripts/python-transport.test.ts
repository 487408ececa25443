/** The client for Python, with the standard library alone, against answers that services rarely give. */
import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { canonicalJson, computeStreamCommitment } from '@stateeval/contracts'
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

inPython('what a stream revealed is verified with numbers as RFC 8785 writes them', async () => {
  const script = `
import json
from stateeval import StateEval
from stateeval.streams import _canonical
print(json.dumps([StateEval().stream("str_1").verify(), _canonical(json.loads('[NUMBERS]'))]))
`
  const numbers = [0.5, 0.00001, 1e-7, 5e-8, 1.5e-10, 0, 1, 12.25, 100.5, 1e20, 1e21, 1.5e300, -0.001]
  const about = {
    kind: 'stateeval',
    options: { scenario: 'session-service', length: { min: 5, max: 5 }, branches: 0.00001 },
    salt: 'a'.repeat(32),
    seed: 'Sämling',
    versions: { generator: '5' },
  }
  const stream = { id: 'str_1', status: 'open', ...about, commitment: computeStreamCommitment(about) }
  answer = { status: 200, type: 'application/json', body: JSON.stringify(stream) }
  const asked = script.replace('[NUMBERS]', JSON.stringify(numbers))
  expect(await printed(asked)).toEqual([true, canonicalJson(numbers)])
})
