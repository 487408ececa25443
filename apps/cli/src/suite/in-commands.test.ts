import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import {
  evaluationOperations,
  type HttpOperation,
  scoringOperations,
  traceGenerationOperations,
} from '@stateeval/contracts'
import { checkout } from '../local/home.ts'
import { replaceRequests } from './in-commands.ts'

test.each([
  [
    'there is no benchmark "x"; GET /v1/benchmarks lists them',
    'there is no benchmark "x"; `npx stateeval list benchmarks` lists them',
  ],
  [
    'resume the evaluation: POST /v1/evaluations/ev_1/resume',
    'resume the evaluation: `npx stateeval resume ev_1`',
  ],
  [
    'resume it with a larger one: POST /v1/evaluations/ev_1/resume {"budget": {"tokens": …}}',
    'resume it with a larger one: `npx stateeval resume ev_1 --budget-tokens N`',
  ],
  [
    'POST /v1/evaluations/ev_1/resume {"budget": {"usd": …}}.',
    '`npx stateeval resume ev_1 --budget-usd DOLLARS`.',
  ],
  [
    'correct the model (PUT /v1/models/qwen3.5), then',
    'correct the model (`npx stateeval model qwen3.5 --base-url URL`), then',
  ],
  [
    'there is no model "a" at http://h/v1; correct the model (PUT /v1/models/x), then',
    'there is no model "a" at http://h/v1; correct the model (`npx stateeval model x --model-id ID`), then',
  ],
  [
    'name its environment variable in keyEnv; correct the model (PUT /v1/models/x), then',
    'name its environment variable in --key-env; correct the model (`npx stateeval model x --key-env NAME`), then',
  ],
  [
    'check the model’s parameters; correct the model (PUT /v1/models/x), then',
    'check the model’s parameters; correct the model (`npx stateeval model x --model-file FILE`), then',
  ],
  ['start the endpoint, or correct baseUrl', 'start the endpoint, or correct --base-url'],
  ['{"baseUrl": …} of {base.baseUrl}', '{"baseUrl": …} of {base.baseUrl}'],
  [
    'POST /v1/benchmarks/bm_1/reviews/{case} decides',
    '`npx stateeval review bm_1 CASE accept|reject|edit` decides',
  ],
  ['GET /v1/benchmarks/bm_1/reviews.', '`npx stateeval review bm_1`.'],
  ['GET /v1/orders of the API that is tested', 'GET /v1/orders of the API that is tested'],
])('%s', (text, expected) => {
  expect(replaceRequests(text)).toBe(expected)
})

/** All files of a folder that the product consists of. */
const sources = (folder: string): string[] =>
  readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true }).flatMap(
    ({ parentPath, name }) =>
      name.endsWith('.ts') &&
      !/\.test\.ts$|[\\/](test|node_modules|examples|api)([\\/]|$)/.test(
        join(parentPath, name).slice(checkout.length),
      )
        ? [join(parentPath, name)]
        : [],
  )
/** Texts in quotes that name a request, with a value in place of each expression. */
const requestsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && !/\bdoc:/.test(line))
    .flatMap(
      (line) =>
        line.replaceAll(/\$\{[^}]*\}/g, 'x').match(/(GET|POST|PUT|DELETE|PATCH|QUERY) \/v1\/[^'`]*/g) ?? [],
    )

test('every request that a message of a service names has a command', () => {
  // Agents drive episodes over HTTP; no command does.
  const named = ['services', 'packages']
    .flatMap((folder) => sources(folder).flatMap(requestsIn))
    .filter((text) => !text.includes('/v1/episodes'))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((text) => / \/v1\//.test(replaceRequests(text)))).toEqual([])
})

test('a request that reads is told as a command that reads', () => {
  const reads = [scoringOperations, traceGenerationOperations, evaluationOperations].flatMap((operations) =>
    Object.values(operations as Record<string, HttpOperation>).filter(({ method }) => method === 'GET'),
  )
  const commands = reads.map(({ path }) => replaceRequests(`GET ${path.replaceAll(/:\w+/g, 'x')}`))
  const changing =
    /stateeval (?:\w+ )*(?:resume|rescore|build|evaluate|import|delete|cancel|create|discard|redrive|revoke)\b/
  expect(commands.filter((text) => !text.startsWith('GET')).length).toBeGreaterThan(20)
  expect(commands.filter((text) => changing.test(text))).toEqual([])
})

test('the command itself names no request', () => {
  expect(
    sources('apps/cli/src').filter((file) => !file.endsWith('in-commands.ts') && requestsIn(file).length > 0),
  ).toEqual([])
})
