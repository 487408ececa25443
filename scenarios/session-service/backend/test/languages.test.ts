/**
 * One program, two languages: the same requests, RESULT and final state in the real sandbox and the real
 * service.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Language, LoggedRequest, Observation, Program } from '@stateeval/contracts'
import { defaultOptions, generate, listOptInApis } from '@stateeval/generate'
import { emit, interpret, isCall, listPathInputs, listWrittenSteps } from '@stateeval/program'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { judgeInput } from '@stateeval/score'
import { sessionService } from '../../index.ts'
import { createSessionWorld } from '../world.ts'
import { startDatabase, type TestDatabase } from './service.ts'

let database: TestDatabase
let sandbox: Awaited<ReturnType<typeof createSandbox>>
beforeAll(async () => {
  ;[database, sandbox] = await Promise.all([startDatabase(), createSandbox()])
})
afterAll(async () => {
  await sandbox.close()
  await database.stop()
})

/** Ids by the order in which the run met them, queries and bodies by their meaning. */
function meaning(log: readonly LoggedRequest[]): unknown[] {
  const idNames = new Map<string, string>()
  const named = (text: string) =>
    text.replace(
      /\b[0-9a-f]{24}\b/g,
      (id) => idNames.get(id) ?? (idNames.set(id, `id ${idNames.size}`), idNames.get(id)!),
    )
  return log.map(({ method, path, status, requestBody }) => {
    const url = new URL(named(path), 'http://service')
    return {
      method,
      path: decodeURIComponent(url.pathname),
      query: [...url.searchParams],
      status,
      body: JSON.parse(named(requestBody ?? 'null')) as unknown,
    }
  })
}

test('programs in JavaScript and in Python do the same on every input', async () => {
  if (!sandbox.languages.includes('python')) return console.log(`skipped: ${sandbox.unavailable.python}`)
  const world = createSessionWorld({ mongodb: database.client, prefix: 'languages', poolSize: 4 })
  const programs = [
    ...generate(sessionService, { ...defaultOptions, seed: 11, count: 8 }),
    ...generate(sessionService, { ...defaultOptions, seed: 12, count: 6, strategy: 'random' }),
    ...generate(sessionService, {
      ...defaultOptions,
      seed: 13,
      count: 4,
      apis: listOptInApis(sessionService),
    }),
    ...generate(sessionService, { ...defaultOptions, seed: 14, count: 2, branches: 3 }),
  ]
  const called = programs.flatMap(({ program }) =>
    listWrittenSteps(program).flatMap((step) => (isCall(step) ? step.api : [])),
  )
  expect(new Set(called)).toEqual(new Set(sessionService.operations.map(({ id }) => id)))
  const run = (program: Program, language: Language): Promise<Observation[]> =>
    sandbox.run(
      {
        language,
        code: emit(program, language)!,
        inputs: listPathInputs(program),
        world,
        limits: completeLimits({ wallMs: 100_000 }),
      },
      new AbortController().signal,
    )
  let branches = 0
  for (const { program } of programs) {
    const [javascript, python] = await Promise.all([run(program, 'javascript'), run(program, 'python')])
    for (const [path, input] of listPathInputs(program).entries()) {
      const [one, other] = [javascript[path]!, python[path]!]
      expect(one.ending.status).toBe('completed')
      const result = one.ending.status === 'completed' ? one.ending.result : null
      const { verdict, evidence } = judgeInput({ result, world: one.world! }, other, sessionService.compare)
      expect({ verdict, evidence }).toMatchObject({ verdict: 'passed' })
      expect(meaning(other.log)).toEqual(meaning(one.log))
      const predicted = interpret(program, sessionService, input)
      if (predicted.ok && predicted.branch !== 'none') branches++
    }
  }
  expect(branches).toBeGreaterThan(0)
  await world.close()
})
