/**
 * No generated program is rejected by the service, of any length, and what the state machine predicts is what
 * the service then holds. STATEEVAL_LONG=1 takes 10,000 programs. They run here, without a sandbox: they are
 * the project's own.
 */
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ExecutionInput, JsonValue } from '@stateeval/contracts'
import { defaultOptions, generate, listOptInApis } from '@stateeval/generate'
import { emit, interpret, isCall, listPathInputs, listWrittenSteps } from '@stateeval/program'
import { completeLimits } from '@stateeval/sandbox'
import { judgeInput } from '@stateeval/score'
import { sessionService } from '../../index.ts'
import { createSessionWorld, type OpenSessionWorld, type SessionWorld } from '../world.ts'
import { startDatabase, type TestDatabase } from './service.ts'

const long = process.env['STATEEVAL_LONG'] === '1'
const sets = [
  [5, long ? 7000 : 12, 'planned'],
  [5, long ? 1500 : 6, 'random'],
  [2, long ? 500 : 4, 'coverage'],
  [12, long ? 800 : 3, 'random'],
  [30, long ? 150 : 1, 'random'],
  [50, long ? 50 : 1, 'random'],
  [5, long ? 1000 : 8, 'planned', listOptInApis(sessionService)],
  [6, long ? 1000 : 4, 'planned', [], 3],
] as const

let database: TestDatabase
let world: SessionWorld
let server: Server
let open: OpenSessionWorld | undefined
beforeAll(async () => {
  database = await startDatabase()
  world = createSessionWorld({ mongodb: database.client, prefix: 'generated', poolSize: 1 })
  server = createServer((socket) => {
    if (open?.channel.kind === 'http') open.channel.accept(socket)
    else socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.close()
  await world.close()
  await database.stop()
})

const require = createRequire(import.meta.url)
const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<JsonValue>
async function run(code: string, { variables }: ExecutionInput): Promise<JsonValue> {
  const program = new AsyncFunction(
    'require',
    'BASE_URL',
    ...Object.keys(variables),
    `let RESULT; ${code}\nreturn RESULT`,
  )
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return JSON.parse(
    JSON.stringify(await program(require, base, ...Object.values(structuredClone(variables)))),
  ) as JsonValue
}

test('no generated program is rejected, of any length', async () => {
  let programs = 0
  const called = new Set<string>()
  for (const [length, count, strategy, apis = [], branches] of sets) {
    for (const { program } of generate(sessionService, {
      ...defaultOptions,
      seed: length,
      length,
      count,
      strategy,
      apis,
      ...(branches && { branches }),
      observable: length < 20,
    })) {
      programs++
      for (const step of listWrittenSteps(program)) if (isCall(step)) called.add(step.api)
      const code = emit(program, 'javascript')!
      for (const input of listPathInputs(program)) {
        const predicted = interpret(program, sessionService, input)
        if (!predicted.ok) throw new Error(`the state machine refuses ${program.id}`)
        open = await world.open(input.world as JsonValue, completeLimits(), String(programs))
        const result = await run(code, input)
        const { world: state, log, faults } = await open.observe()
        await open.close()
        expect([faults, log.filter(({ status }) => status >= 400)]).toEqual([[], []])
        const observed = {
          ending: { status: 'completed' as const, result },
          world: state,
          log,
          output: '',
          faults,
          wallMs: 0,
          sandbox: 'none',
        }
        const { verdict, evidence } = judgeInput(
          { result: predicted.result, world: predicted.world },
          observed,
          sessionService.compare,
        )
        expect({ id: program.id, verdict, evidence }).toMatchObject({ verdict: 'passed' })
      }
    }
  }
  expect([...called].sort()).toEqual(sessionService.operations.map(({ id }) => id).sort())
  expect(programs).toBe(sets.reduce((sum, [, count]) => sum + count, 0))
})
