/**
 * Tests of dataset creation over HTTP, with a model that errs: part of the suite that service.test.ts starts.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, Report, Review, SpecificationPlan } from '@stateeval/contracts'
import {
  type ScriptedModel,
  type ScriptedRequest,
  startScriptedModel,
  stateeval,
  until,
} from '@stateeval/testkit'
import { published, skipReason } from '../data.ts'
import { answerOf, shopText, shopTasks, taskFor, wantedIn, type Written } from './tasks.ts'

type Call = <T>(
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; body: T; text: string }>

/**
 * What becomes of each endpoint: what a model writes for it in each round, the last of them again and again.
 */
const scripts: Record<string, (string | ((one: Written) => unknown))[]> = {
  // Leaves out a required argument, then writes it.
  'GET /orders': [(one) => delete (one.config.params as Record<string, unknown>)['state'], () => null],
  // Never gets a type right.
  'POST /orders': [(one) => ((one.config.data as Record<string, unknown>)['lines'] = 'two whales')],
  // Makes up an endpoint, then answers with another one.
  'DELETE /orders/{order_id}': [
    (one) => Object.assign(one.config, { url: 'https://eu.shop.example/v1/carts/7', method: 'delete' }),
    (one) => Object.assign(one.config, { url: 'https://eu.shop.example/v1/orders/o1', method: 'get' }),
  ],
}

export function creationTests(
  baseUrl: () => string,
  call: Call,
  evaluated: (request: object) => Promise<Report>,
): { close(): Promise<void> } {
  let model: ScriptedModel | undefined
  const rounds: Record<string, number> = {}
  const play = ({ messages }: ScriptedRequest) => {
    const endpoints = wantedIn(messages.at(-1)!.content)
    if (endpoints.includes('GET /orders/search') && messages.length === 1)
      return { say: 'Sorry, as JSON I can’t.' }
    const samples = endpoints.map((endpoint) => {
      const one = taskFor(endpoint)
      const all = scripts[endpoint] ?? []
      const n = (rounds[endpoint] = (rounds[endpoint] ?? 0) + 1)
      const change = all[Math.min(n, all.length) - 1]
      if (typeof change === 'function') change(one)
      return one
    })
    return { say: answerOf(samples) }
  }
  const request = {
    kind: 'wapiibench',
    id: 'shop',
    specification: shopText,
    model: 'writer',
    together: 2,
  }
  async function buildSet(more: object = {}): Promise<BenchmarkResource> {
    const { status, body } = await call<BenchmarkResource>('POST', '/v1/benchmarks/specifications', {
      ...request,
      ...more,
    })
    expect([status, status === 202 || body]).toEqual([202, true])
    const now = async () =>
      ((one) => one.status !== 'running' && one)(
        (await call<BenchmarkResource>('GET', `/v1/benchmarks/${body.id}`)).body,
      )
    return (await until(now)) as BenchmarkResource
  }
  /** Built once, and changed by no test. */
  let set: BenchmarkResource
  /** The same, for people's decisions; built here because a test takes the model away. */
  let decided: BenchmarkResource
  beforeAll(async () => {
    model = await startScriptedModel(play)
    await call('PUT', '/v1/models/writer', { baseUrl: model.baseUrl, model: 'writer-1' })
    set = await buildSet()
    decided = await buildSet()
  })
  const reviews = async () =>
    (await call<{ items: Review[] }>('GET', `/v1/benchmarks/${set.id}/reviews?limit=100`)).body.items

  test('tasks for a specification are written, checked, sent back, and rejected with the reason', async () => {
    expect(set).toMatchObject({
      status: 'succeeded',
      kind: 'wapiibench',
      writing: { id: 'shop', model: 'writer', rounds: 3 },
      manifest: {
        counts: { generated: 7, passed: 4, kept: 4, filteredShare: 0.428571 },
        options: { id: 'shop', model: 'writer-1' },
        versions: { prompts: expect.stringMatching(/^[0-9a-f]{12}$/) },
      },
    })
    expect(set.manifest!.filtered).toEqual([
      { scenario: 'shop', phase: 'check', reason: 'its own request is not judged correct', count: 1 },
      {
        scenario: 'shop',
        phase: 'specification',
        reason: 'its body is not an object of arguments',
        count: 1,
      },
      {
        scenario: 'shop',
        phase: 'specification',
        reason: 'the method head is not supported; supported: get, put, post, delete, patch',
        count: 1,
      },
      { scenario: 'shop', phase: 'tasks', reason: 'another endpoint', count: 1 },
      { scenario: 'shop', phase: 'tasks', reason: 'wrong type', count: 1 },
    ])
    const all = await reviews()
    expect(all.map(({ target, status }) => `${target} ${status}`)).toEqual([
      'GET /orders verified',
      'POST /orders rejected',
      'GET /orders/{order_id} verified',
      'DELETE /orders/{order_id} rejected',
      'POST /orders/{order_id}/notes verified',
      'POST /orders/{order_id}/files rejected',
      'GET /orders/search verified',
    ])
    expect(all[0]?.dialogue[1]?.says).toBe('config.params.state is missing, which the specification requires')
    expect(all[6]?.dialogue[1]?.says).toContain('could not be read as JSON')
    expect(all[1]).toMatchObject({
      reason: 'wrong type: config.data.lines must be an array, not "two whales"',
      instruction: null,
    })
    expect(all[0]).toMatchObject({
      tries: [{ verdict: 'correct' }],
      task: shopTasks[0]!.config,
      questions: [{ id: 'solvable' }, {}, {}],
    })
    expect(set.usage?.requests).toBe(model!.requests.length)
  })

  test('the set is one like an imported one: prompts, and the reference answers score 100 %', async () => {
    const { text } = await call('GET', `/v1/benchmarks/${set.id}/prompts?setup=arguments`)
    expect(text.trim().split('\n')).toHaveLength(4)
    const { result, run } = await evaluated({ benchmark: set.id, model: 'reference' })
    expect(run.baselineCheck).toMatchObject({ status: 'passed', cases: 4, cached: true })
    expect(result.overall).toMatchObject({ passed: 4, scored: 4 })
    expect(result.disagreements).toEqual([])
    expect(
      result
        .measures!.filter(({ group }) => group === 'all')
        .map(({ values }) => values['Illegal arguments (e)']),
    ).toEqual([0, 0])
  })

  test('built again it asks nobody and is the same; so it is from a recording, without the model', async () => {
    const { text } = await call('GET', `/v1/benchmarks/${set.id}/recording`)
    const before = model!.requests.length
    expect((await buildSet()).manifest?.digest).toBe(set.manifest?.digest)
    expect(model!.requests).toHaveLength(before)
    await model!.close()
    const { body } = await call<{ id: string }>('POST', '/v1/recordings', { text })
    expect((await buildSet({ model: undefined, recording: body.id })).manifest?.digest).toBe(
      set.manifest?.digest,
    )
    expect((await buildSet({ model: undefined, recording: body.id, seed: 'other' })).error).toContain(
      'the recording has no answer',
    )
  })

  test('the command prints a plan', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'stateeval-plan-'))
    process.env['STATEEVAL_URL'] = baseUrl()
    try {
      const file = join(scratch, 'shop.yaml')
      await writeFile(file, shopText)
      const { out, code, err } = await stateeval('build', '--spec', file, '--dry-run')
      expect([code, code === 0 || err]).toEqual([0, true])
      expect(out).toMatch(/^7 of 9 endpoints: 1 question to a model, about \d+ prompt tokens/)
      expect(out).toMatch(/GET \/orders +4 query, 1 header +header Authorization/)
      expect(out).toMatch(/HEAD .* the method head is not supported/)
      expect((await stateeval('build', '--samples', '3', '--dry-run')).err).toMatch(
        /--dry-run is for --spec FILE/,
      )
    } finally {
      delete process.env['STATEEVAL_URL']
      await rm(scratch, { recursive: true })
    }
  })
  test('the command builds from a file, into a folder that evaluations take', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'stateeval-spec-'))
    process.env['STATEEVAL_URL'] = baseUrl()
    try {
      const [spec, recorded, out] = [
        join(scratch, 'shop.yaml'),
        join(scratch, 'answers.recording'),
        join(scratch, 'set'),
      ]
      await writeFile(spec, shopText)
      await writeFile(recorded, (await stateeval('recording', set.id)).out)
      const buildRun = await stateeval(
        'build',
        '--spec',
        spec,
        '--recording',
        recorded,
        '--together',
        '2',
        '--out',
        out,
      )
      expect([buildRun.code, buildRun.out]).toEqual([
        0,
        expect.stringMatching(/7 tasks asked for, 4 passed every check, 42\.9 % filtered[\s\S]*wrong type/),
      ])
      expect(buildRun.out).toMatch(
        /\nWritten: 2 tasks in 1 round, 2 tasks in 2 rounds\.\nCorrected while writing:\n {2}shop-0 \(GET \/orders\): config\.params\.state is missing/,
      )
      expect(buildRun.out).toMatch(/npx stateeval review bm_\w+\n/)
      const read = async (file: string) =>
        JSON.parse(await readFile(join(out, file), 'utf8')) as { digest: string }
      expect((await read('manifest.json')).digest).toBe(set.manifest?.digest)
      expect(
        await stateeval('evaluate', '--benchmark', out, '--model', 'reference', '--gate', '100%'),
      ).toMatchObject({ code: 0 })
      for (const [args, says] of [
        [['build'], 'Name the source'],
        [['build', '--spec', spec, '--scenario', 'all'], 'exclude each other'],
        [['build', '--spec', spec], '--spec needs the model'],
        [
          ['build', '--spec', join(scratch, 'no.yaml'), '--model', 'writer'],
          'an OpenAPI specification in YAML or JSON',
        ],
        [['build', '--spec', spec, '--model', 'writer', '--translator', 'agents'], 'are for --scenario'],
        [['build', '--scenario', 'session-service', '--server', 'https://a.b'], 'are for --spec'],
      ] as const)
        expect(await stateeval(...args)).toMatchObject({ code: 2, err: expect.stringContaining(says) })
    } finally {
      delete process.env['STATEEVAL_URL']
      await rm(scratch, { recursive: true })
    }
  })

  test('people accept, edit and reject; decisions keep who, when and why, and make a set of their own', async () => {
    const set = decided
    const decide = (name: string, body: object) =>
      call<Review & { field: string; detail: string }>(
        'POST',
        `/v1/benchmarks/${set.id}/reviews/${name}`,
        body,
      )
    const who = { by: 'alex', because: 'read it twice' }
    const answers = { solvable: true, solves: true, arguments: true }
    const refused = async (name: string, body: object) =>
      (({ status, body: { field } }) => [status, field])(await decide(name, { ...who, ...body }))
    expect(await refused('shop-0', { decision: 'accept' })).toEqual([422, '/answers'])
    expect(await refused('shop-0', { decision: 'accept', answers: { ...answers, solves: false } })).toEqual([
      422,
      '/answers',
    ])
    expect(await refused('shop-0', { decision: 'accept', answers: { ...answers, more: true } })).toEqual([
      422,
      '/answers',
    ])
    expect(await refused('shop-0', { decision: 'accept', answers, instruction: 'x' })).toEqual([
      422,
      '/instruction',
    ])
    expect(await refused('shop-1', { decision: 'accept', answers })).toEqual([422, '/decision'])
    expect(await refused('shop-1', { decision: 'edit', answers })).toEqual([422, '/instruction'])
    expect(await refused('shop-1', { decision: 'edit', answers, instruction: 'Order.' })).toEqual([
      422,
      '/task',
    ])
    const wrong = { ...shopTasks[1]!.config, data: {} }
    expect(
      await refused('shop-1', { decision: 'edit', answers, instruction: 'Order.', task: wrong }),
    ).toEqual([422, '/task'])
    expect(await refused('shop-2', { decision: 'reject' })).toEqual([404, undefined])

    const accepted = await decide('shop-0', { decision: 'accept', answers, ...who })
    expect(accepted.body.decisions).toEqual([
      { decision: 'accept', answers, ...who, at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    await decide('shop-1', {
      decision: 'edit',
      answers,
      instruction: shopTasks[1]!.task,
      task: shopTasks[1]!.config,
      by: 'kim',
      because: 'lines are a list',
    })
    await decide('shop-3', { decision: 'edit', answers, instruction: 'Show me the order o17.', ...who })
    await decide('shop-7', { decision: 'reject', ...who })
    const creation = await call<BenchmarkResource>('POST', `/v1/benchmarks/${set.id}/reviewed`)
    expect([creation.status, creation.body]).toMatchObject([
      201,
      {
        origin: 'review',
        reviewed: set.id,
        manifest: {
          counts: { generated: 7, kept: 4 },
          filtered: expect.arrayContaining([
            { scenario: 'shop', phase: 'review', reason: 'rejected by a person', count: 1 },
          ]),
        },
      },
    ])
    const cases = (
      await call<{ items: { id: string; instruction: string }[] }>(
        'GET',
        `/v1/benchmarks/${creation.body.id}/cases?limit=10`,
      )
    ).body.items
    expect(cases.map(({ id }) => id)).toEqual(['shop-0', 'shop-1', 'shop-3', 'shop-5'])
    expect(cases[2]?.instruction).toBe('Show me the order o17.')
    expect(
      (await evaluated({ benchmark: creation.body.id, model: 'reference' })).result.overall,
    ).toMatchObject({
      passed: 4,
      scored: 4,
    })
  })

  test('a plan says what would be asked for, and asks no model', async () => {
    const asked = model!.requests.length
    const { status, body } = await call<SpecificationPlan>('POST', '/v1/benchmarks/specifications/plan', {
      ...request,
      model: undefined,
      specification: shopText.replace('paths:', 'paths:\n  /broken: { get: { $ref: "other.yaml#/get" } }'),
    })
    expect([status, status === 200 || body]).toEqual([200, true])
    expect(model!.requests.length).toBe(asked)
    const { endpoints, ...counts } = body
    expect(counts).toEqual({ usable: 7, questions: 4, promptTokens: expect.any(Number) })
    expect(endpoints[0]).toEqual({
      name: 'GET /broken',
      case: 'shop-0',
      skipped: 'the specification is broken there',
      detail: expect.stringMatching(/^paths\/\/broken\/get refers to other\.yaml/),
    })
    expect(endpoints[1]).toEqual({
      name: 'GET /orders',
      case: 'shop-1',
      arguments: {
        path: [],
        query: ['limit', 'state', 'since', 'tags'],
        header: ['X-Trace'],
        cookie: [],
        body: [],
      },
      security: ['header Authorization'],
    })
    expect(endpoints.filter(({ skipped }) => skipped === undefined)).toHaveLength(7)
  })

  test('what can’t be built says so at once; a model that fails altogether leaves a reason', async () => {
    const refused = async (more: object) => {
      const response = await call<{ field: string; detail: string }>(
        'POST',
        '/v1/benchmarks/specifications',
        { ...request, ...more },
      )
      return [response.status, response.body.field]
    }
    expect(await refused({ model: undefined })).toEqual([422, '/model'])
    expect(await refused({ model: 'reference' })).toEqual([422, '/model'])
    expect(await refused({ model: 'nobody' })).toEqual([422, '/model'])
    expect(await refused({ kind: 'stateeval' })).toEqual([422, '/kind'])
    expect(await refused({ specification: 'swagger: "1.2"' })).toEqual([422, '/specification'])
    expect(await refused({ paths: ['/nowhere'] })).toEqual([422, '/paths'])
    expect(await refused({ server: '/v1/relative' })).toEqual([422, '/server'])
    expect(await refused({ rounds: 0 })).toEqual([400, '/rounds'])
    const mute = await startScriptedModel(() => ({ say: 'No.' }))
    await call('PUT', '/v1/models/mute', { baseUrl: mute.baseUrl, model: 'mute' })
    const failed = await buildSet({ model: 'mute', rounds: 2, paths: ['/orders/search'] })
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/no task passed its checks; the first: no JSON .*\/reviews/),
    })
    expect(mute.requests).toHaveLength(2)
    const budget = await buildSet({
      model: 'mute',
      rounds: 3,
      paths: ['/orders/search'],
      seed: 2,
      budget: { tokens: 20 },
    })
    expect(budget).toMatchObject({
      status: 'cancelled',
      error: expect.stringContaining('build again with a larger one'),
    })
    await mute.close()
  })

  ;(published ? test : test.skip)(
    `a published specification, as if its published tasks were written for it${published ? '' : `: ${skipReason}`}`,
    async () => {
      const specification = readFileSync(join(published!, 'specs/google_calendar_v3.yaml'), 'utf8')
      const { samples } = JSON.parse(
        readFileSync(join(published!, 'tasks/google_calendar_v3.json'), 'utf8'),
      ) as {
        samples: { config: object }[]
      }
      const knowing = await startScriptedModel(() => ({ say: JSON.stringify({ samples }) }))
      await call('PUT', '/v1/models/knowing', { baseUrl: knowing.baseUrl, model: 'knowing' })
      // Small enough for parts of the specification, too.
      const paths = ['/calendars/{calendarId}/events']
      const calendarSet = await buildSet({
        model: 'knowing',
        id: 'calendar',
        specification,
        paths,
        together: 6,
        longest: 40_000,
      })
      await knowing.close()
      expect(calendarSet).toMatchObject({
        status: 'succeeded',
        manifest: { counts: { generated: 11, kept: 11, filteredShare: 0 }, filtered: [] },
      })
      expect(knowing.requests.length).toBeGreaterThanOrEqual(2)
      for (const { messages } of knowing.requests) {
        expect(messages[0]!.content.length).toBeLessThan(60_000)
        expect(messages[0]!.content).not.toContain('/users/me/settings')
      }
      const { items } = (
        await call<{ items: { task: { config: object } }[] }>(
          'GET',
          `/v1/benchmarks/${calendarSet.id}/cases?limit=100`,
        )
      ).body
      for (const { task } of items) expect(samples.map(({ config }) => config)).toContainEqual(task.config)
    },
  )

  return { close: async () => model?.close() }
}
