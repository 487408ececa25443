/**
 * Emitted code is run: against a stub of axios that answers from the state machine, it must do what the
 * interpreter predicts.
 */
import { expect, test } from '@jest/globals'
import type { Call, ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import { sessionService } from '@stateeval/scenario-session-service'
import {
  emit,
  listPathInputs,
  interpret,
  createLiteral,
  createRef,
  type Scenario,
  withId,
} from '../src/index.ts'

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<unknown>

const scenario: Scenario = sessionService

/** Requests of the session service, taken apart again. */
function client(input: ExecutionInput) {
  let world = sessionService.open(input.world as JsonValue)
  const send = (method: string, address: string, query: Record<string, JsonValue>, body?: JsonValue) => {
    const [, , source, type, last] = new URL(address).pathname.split('/').slice(1).map(decodeURIComponent)
    const one = last !== undefined && last !== 'query'
    const api = {
      GET: last === 'query' ? 'querySessions' : 'listSessions',
      POST: 'addSession',
      PUT: 'updateSession',
      DELETE: 'deleteSession',
    }[method] as string
    const args = {
      source,
      type,
      ...query,
      ...(one ? { id: last } : {}),
      ...(body === undefined ? {} : { data: JSON.parse(JSON.stringify(body)) as JsonValue }),
    }
    const transition = sessionService.operations
      .find(({ id }) => id === api)!
      .apply(world, args as Record<string, JsonValue>)
    if (!transition.ok) throw new Error(`${transition.error.status} ${transition.error.message}`)
    world = transition.world
    return Promise.resolve({ data: JSON.parse(JSON.stringify(transition.output ?? '')) as JsonValue })
  }
  return {
    axios: {
      get: (address: string, options?: { params?: Record<string, JsonValue> }) =>
        send('GET', address, options?.params ?? {}),
      delete: (address: string) => send('DELETE', address, {}),
      post: (address: string, body: JsonValue) => send('POST', address, {}, body),
      put: (address: string, body: JsonValue) => send('PUT', address, {}, body),
    },
    worldState: () => sessionService.observe(world),
  }
}

async function run(program: Program, input: ExecutionInput) {
  const { axios, worldState } = client(input)
  const names = Object.keys(input.variables)
  const code = `let RESULT;\n${emit(program, 'javascript')}\nreturn RESULT`
  const result = await new AsyncFunction('require', 'BASE_URL', ...names, code)(
    () => axios,
    'http://127.0.0.1',
    ...names.map((name) => input.variables[name]),
  )
  return { result: JSON.parse(JSON.stringify(result)) as JsonValue, world: worldState() }
}

test('emitted JavaScript does what the interpreter predicts, on every path', async () => {
  const programs = [
    ...generate(scenario, { ...defaultOptions, count: 40 }),
    ...generate(scenario, { ...defaultOptions, count: 20, strategy: 'random' }),
    ...generate(scenario, { ...defaultOptions, count: 10, branches: 3 }),
  ]
  for (const { program } of programs) {
    for (const input of listPathInputs(program)) {
      const predicted = interpret(program, scenario, input)
      expect(predicted.ok).toBe(true)
      expect(await run(program, input)).toEqual(
        predicted.ok && { result: predicted.result, world: predicted.world },
      )
    }
  }
})

const strings = [
  'plain',
  "it's",
  'a "quote"',
  'back\\slash',
  'line\nbreak',
  '${not} a `template`',
  '\u2028',
  'Münster',
  '__proto__',
  '',
  '\u{1F9EC}',
]
test.each(strings)('a constant %j arrives as it is: as value, as key, in a path', async (text) => {
  const requestParts: unknown[] = []
  const call = (args: Call['args'], rest: object): Call => ({
    kind: 'http',
    api: 'any',
    method: 'POST',
    path: '/x',
    args,
    ...rest,
  })
  const program = withId({
    schema: 1,
    scenario: 'none',
    variables: [],
    world: null,
    body: [
      call({ body: createLiteral([text, { [text || 'empty']: text }]) }, { body: 'body' }),
      call({ part: createLiteral(text) }, { path: '/x/{part}/y', method: 'GET' }),
      { kind: 'edit', target: createRef('user', text || 'empty'), value: createLiteral(text) },
    ],
    result: [],
  })
  const axios = {
    post: (_: string, body: unknown) => (requestParts.push(body), { data: 1 }),
    get: (address: string) => (requestParts.push(address), { data: 1 }),
  }
  const user: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  await new AsyncFunction('require', 'BASE_URL', 'user', `let RESULT;\n${emit(program, 'javascript')}`)(
    () => axios,
    'http://base',
    user,
  )
  expect(JSON.stringify(requestParts[0])).toBe(
    JSON.stringify([text, JSON.parse(`{${JSON.stringify(text || 'empty')}:${JSON.stringify(text)}}`)]),
  )
  expect(requestParts[1]).toBe(`http://base/x/${encodeURIComponent(text)}/y`)
  expect(user[text || 'empty']).toBe(text)
})

test('a key that is spelled like its constant is no shorthand', async () => {
  const value = { null: null, true: true, "'a'": 'a', 1: 1, axios: 'axios' }
  const call: Call = {
    kind: 'http',
    api: 'any',
    method: 'POST',
    path: '/x',
    body: 'body',
    args: { body: createLiteral(value) },
  }
  const program = withId({
    schema: 1,
    scenario: 'none',
    variables: [],
    world: null,
    body: [call],
    result: [],
  })
  const code = emit(program, 'javascript')!
  const bodies: unknown[] = []
  const post = (_: string, body: unknown) => {
    bodies.push(body)
  }
  await new AsyncFunction('require', 'BASE_URL', `let RESULT;\n${code}`)(() => ({ post }), 'http://base')
  expect(bodies).toEqual([value])
})

test('a GET and a DELETE send their body, as in Python', () => {
  const body: Call[] = (['GET', 'DELETE'] as const).map((method) => ({
    kind: 'http',
    api: 'any',
    method,
    path: '/x',
    body: 'filter',
    query: ['limit'],
    args: { filter: createLiteral({ a: 1 }), limit: createLiteral(2) },
  }))
  const program = withId({ schema: 1, scenario: 'none', variables: [], world: null, body, result: [] })
  expect(emit(program, 'javascript')).toContain(
    'await axios.get(`${BASE_URL}/x`, { data: { a: 1 }, params: { limit: 2 } });',
  )
  expect(emit(program, 'javascript')).toContain(
    'await axios.delete(`${BASE_URL}/x`, { data: { a: 1 }, params: { limit: 2 } });',
  )
  expect(emit(program, 'python')).toContain(
    'requests.delete(f"{BASE_URL}/x", params={"limit": 2}, json={"a": 1})',
  )
})
