/** The service on real servers: what a caller and a queue see. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type Program,
  translationOperations as operations,
  subjects,
  type Translation,
} from '@stateeval/contracts'
import type { RunningService } from '@stateeval/service-kit'
import {
  answerFault,
  contractFaults,
  nonsenseFaults,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import type { TranslationContext } from '../src/context.ts'
import { fixtures } from '../../../packages/translate/test/fixtures/programs.ts'

const programs = fixtures.map(({ program }) => program)
const [program, other] = programs as [Program, Program]

let suite: Suite
let service: RunningService
beforeAll(async () => {
  suite = await startSuite({ only: ['translation'] })
  service = suite.services['translation'] as RunningService
  await service.platform.bus.ready()
})
afterAll(() => suite?.stop())

/** Any of the service's answers, as a test looks at it. */
type Answer = Translation & { items: Translation[]; next?: string; detail: string; field?: string }

/** Calls an operation; the answer is held against its contract. */
async function call(
  id: keyof typeof operations,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const method = operations[id].method
  const response = await service.app.inject({
    method,
    url: path,
    headers,
    ...(body !== undefined && { payload: body as object }),
  })
  expect(answerFault(operations, id, response)).toBeNull()
  return { status: response.statusCode, headers: response.headers, body: response.json<Answer>() }
}
const translate = (body: unknown, headers?: Record<string, string>) =>
  call('createTranslation', '/v1/translations', body, headers)
const ended = (id: string) =>
  until(async () => {
    const { body } = await call('getTranslation', `/v1/translations/${id}`)
    return body.status === 'queued' || body.status === 'running' ? undefined : body
  })

test('a page of translations ends where it is full, and the next one goes on', async () => {
  const { store } = service.context as TranslationContext
  const instruction = 'x'.repeat(3_000_000)
  const ids = [1, 2, 3, 4, 5].map((n) => `trl_${n}`)
  for (const _id of ids) {
    const begun = {
      translator: 'template',
      seed: 1,
      versions: {},
      programs: '',
      total: 1,
      createdAt: new Date(),
    }
    await store.create({ ...begun, _id })
    const translations = [{ program: 'p', status: 'verified', instruction, readings: 1 } as const]
    await store.end(_id, { status: 'succeeded', translations, finishedAt: new Date() })
  }
  const pages: string[][] = []
  for (let query = '?limit=500'; ;) {
    const { items, next } = (await call('listTranslations', `/v1/translations${query}`)).body
    pages.push(items.map(({ id }) => id).filter((id) => ids.includes(id)))
    if (next === undefined) break
    query = `?limit=500&cursor=${next}`
  }
  expect(pages.filter(({ length }) => length > 0)).toEqual([
    ['trl_1', 'trl_2'],
    ['trl_3', 'trl_4'],
    ['trl_5'],
  ])
})

test('every operation has its route file, a fitting example and its errors', () => {
  expect(contractFaults(operations, join(import.meta.dirname, '../src/routes'))).toEqual([])
})

test('nonsense is refused with a problem that helps, and breaks nothing', async () => {
  expect(await nonsenseFaults(service.app, operations)).toEqual([])
})

test('one program is translated in place, and the instruction is verified', async () => {
  const { status, headers, body } = await translate({ program, seed: 7 })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'succeeded',
    translator: 'template',
    seed: 7,
    translations: [{ program: program.id, status: 'verified', readings: 1 }],
  })
  expect((await call('getTranslation', String(headers['location']))).body).toEqual(body)
  const [first] = body.translations
  const instruction = first?.status === 'verified' ? first.instruction : ''
  const verify = async (request: object) =>
    (await call('verifyTranslation', '/v1/translations/verify', request)).body
  expect(await verify({ program, instruction })).toEqual({ readings: 1, verified: true })
  expect(await verify({ program: other, instruction })).toMatchObject({
    readings: 1,
    verified: false,
    reason: expect.stringContaining('a different program'),
  })
  expect(await verify({ program, instruction: 'Do your best.' })).toMatchObject({
    readings: 0,
    verified: false,
  })
})

test('the examples of the contract are translated and verified as they stand', async () => {
  expect((await translate(operations.createTranslation.example)).body.translations).toMatchObject([
    { status: 'verified' },
  ])
  expect(
    (await call('verifyTranslation', '/v1/translations/verify', operations.verifyTranslation.example)).body,
  ).toEqual({
    readings: 1,
    verified: true,
  })
})

test('a program that no sentence says is rejected with the reason, beside those that are verified', async () => {
  const silent = { ...program, body: [{ ...program.body[0], api: 'hum' }, ...program.body.slice(1)] }
  const { body } = await translate({ programs: [program, silent] })
  expect(body.translations).toMatchObject([
    { status: 'verified' },
    { status: 'rejected', reason: 'the scenario has no API hum' },
  ])
})

test('a batch becomes a job, with the same instructions as in place', async () => {
  const batch = Array.from({ length: 5 }, () => programs).flat()
  const { status, headers, body } = await translate({ programs: batch })
  expect([status, headers['location'], body.progress.total]).toEqual([202, `/v1/translations/${body.id}`, 30])
  const done = await ended(body.id)
  expect(done).toMatchObject({ status: 'succeeded', progress: { done: 30, total: 30 } })
  const here = (await translate({ programs })).body
  expect(done.translations.slice(0, 6)).toEqual(here.translations)
})

test('the queue answers a program with its translation', async () => {
  const { platform } = service
  const translation = async (id: string, value: unknown) => {
    await platform.send(subjects.translate, { id, value })
    const outcome = await until(() => platform.outcomes.find(id))
    return outcome.status === 'done' ? platform.artifacts.unpack(outcome.value) : outcome
  }
  const here = (await translate({ program, seed: 'x' })).body.translations[0]
  expect(await translation('one', { program, translator: 'template', seed: 'x' })).toEqual(here)
  expect(
    await translation('two', {
      program: { ...program, scenario: 'atlantis' },
      translator: 'template',
      seed: 1,
    }),
  ).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('/program/scenario'),
  })
  expect(await translation('three', { program, translator: 'agents', seed: 1 })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('/agents'),
  })
})

test('translations are listed page by page; an Idempotency-Key makes one', async () => {
  const [one, two] = [
    await translate({ program }, { 'idempotency-key': 'k' }),
    await translate({ program }, { 'idempotency-key': 'k' }),
  ]
  expect(two.body).toEqual(one.body)
  for (const _ of ['second', 'third']) await translate({ program })
  const first = (await call('listTranslations', '/v1/translations?limit=2')).body
  const second = (await call('listTranslations', `/v1/translations?limit=2&cursor=${first.next}`)).body
  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].sort())
})

const endpoint = { baseUrl: 'http://127.0.0.1:9/v1', model: 'x' }
test.each([
  [{}, 400, undefined],
  [{ program: { ...program, scenario: 'atlantis' } }, 422, '/program/scenario'],
  [{ programs: [program, { ...program, scenario: 'atlantis' }] }, 422, '/programs/1/scenario'],
  [{ program, translator: 'agents' }, 422, '/agents'],
  [{ program, agents: { generator: { name: 'm', settings: endpoint } } }, 422, '/agents'],
  [
    {
      program,
      translator: 'agents',
      agents: { generator: { name: 'm', settings: { ...endpoint, keyEnv: 'MONGODB_URI' } } },
    },
    422,
    '/agents/generator/settings/keyEnv',
  ],
  [{ program, translator: 'parrot' }, 422, '/translator'],
  [{ programs: [] }, 400, undefined],
  [{ program: { ...program, body: 'text' } }, 400, undefined],
])('a request that does not fit is refused with the field at fault', async (body, status, field) => {
  const answer = await translate(body)
  expect(answer.status).toBe(status)
  expect(answer.body.detail).not.toBe('')
  if (field !== undefined) expect(answer.body.field).toBe(field)
})

test('a translation that is not there is a 404', async () => {
  expect((await call('getTranslation', '/v1/translations/trl_none')).status).toBe(404)
})
