/**
 * Emitted Python is run, all programs in one interpreter: it must send the requests that the emitted
 * JavaScript sends, and give the same RESULT.
 */
import { describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Call, ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import { sessionService } from '@stateeval/scenario-session-service'
import fc from 'fast-check'
import { emit, listPathInputs, createLiteral, createRef, type Scenario, withId } from '../src/index.ts'

const scenario: Scenario = sessionService
const there = spawnSync('python3', ['--version']).status === 0
if (!there) console.log('skipped: there is no python3 on PATH')
const withPython = there ? describe : describe.skip

interface Exchange {
  method: string
  url: string
  params: JsonValue
  body: JsonValue
  answer: JsonValue
}
interface Item {
  code: string
  variables: Record<string, unknown>
  exchanges: Exchange[]
  result: JsonValue
}

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<JsonValue>
const plain = (value: unknown): JsonValue =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as JsonValue)

/** Runs the emitted JavaScript; `answers` is what the service says to a request. */
async function recorded(
  program: Program,
  variables: ExecutionInput['variables'],
  answers: (method: string, url: string, params: JsonValue, body: JsonValue) => JsonValue,
) {
  const exchanges: Exchange[] = []
  const send = (method: string, url: string, params: unknown, body: unknown) => {
    const answer = answers(method, url, plain(params), plain(body))
    exchanges.push({ method, url, params: plain(params), body: plain(body), answer })
    return Promise.resolve({ data: plain(answer) })
  }
  const axios = {
    get: (url: string, options?: { params?: unknown }) => send('get', url, options?.params, null),
    delete: (url: string) => send('delete', url, null, null),
    post: (url: string, body: unknown) => send('post', url, null, body),
    put: (url: string, body: unknown) => send('put', url, null, body),
  }
  const names = Object.keys(variables)
  const code = `let RESULT;\n${emit(program, 'javascript')}\nreturn RESULT`
  const run = new AsyncFunction('require', 'BASE_URL', ...names, code)
  const result = plain(
    await run(() => axios, 'http://service', ...names.map((name) => plain(variables[name]))),
  )
  return { code: emit(program, 'python')!, variables, exchanges, result } satisfies Item
}

/** The state machine’s answers. */
function service(input: ExecutionInput) {
  let world = sessionService.open(input.world as JsonValue)
  return (method: string, url: string, params: JsonValue, body: JsonValue): JsonValue => {
    const [, , source, type, last] = new URL(url).pathname.split('/').slice(1).map(decodeURIComponent)
    const api = {
      get: last === 'query' ? 'querySessions' : 'listSessions',
      post: 'addSession',
      put: 'updateSession',
      delete: 'deleteSession',
    }[method]
    const args = { source, type, id: last, data: body, ...(params as object) } as Record<string, JsonValue>
    const transition = sessionService.operations.find(({ id }) => id === api)!.apply(world, args)
    if (!transition.ok) throw new Error(transition.error.message)
    world = transition.world
    return plain(transition.output ?? '')
  }
}

/** What differs, by item; empty where Python does the same. */
function differences(items: readonly Item[]): string[] {
  const { stdout, stderr, status } = spawnSync('python3', [join(import.meta.dirname, 'replay.py')], {
    input: JSON.stringify(items),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as string[]
}

withPython('emitted Python', () => {
  test('does what the emitted JavaScript does, on every path', async () => {
    const programs = [
      ...generate(scenario, { ...defaultOptions, count: 60 }),
      ...generate(scenario, { ...defaultOptions, count: 30, strategy: 'random' }),
      ...generate(scenario, { ...defaultOptions, count: 10, branches: 3 }),
    ]
    const items: Item[] = []
    for (const { program } of programs)
      for (const input of listPathInputs(program))
        items.push(await recorded(program, input.variables, service(input)))
    expect(differences(items)).toEqual([])
  })

  test('constants arrive as they are: as value, as key, in a path, in a query', async () => {
    const string = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        "it's",
        '"quoted"',
        'back\\slash',
        'a\nb',
        '{brace}',
        '{}',
        '\u2028',
        '__proto__',
        '\0',
        'None',
        '%41',
      ),
    )
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => plain(value))
    const items: Item[] = []
    await fc.assert(
      // Assigning to `__proto__` sets a prototype in JavaScript; no edit of ours does.
      fc.asyncProperty(
        string,
        string.filter((key) => key !== '__proto__'),
        json,
        async (text, key, value) => {
          const call = (rest: Partial<Call>, args: Call['args']): Call =>
            ({ kind: 'http', api: 'any', method: 'POST', path: '/x', args, ...rest }) as Call
          const program = withId({
            schema: 1,
            scenario: 'none',
            variables: [{ name: 'user', role: 'user', values: [{ [key]: { id: text } }] }],
            world: null,
            body: [
              call(
                { body: 'body' },
                {
                  body: {
                    kind: 'object',
                    entries: { [key]: createLiteral(value), b: createRef('user', key, 'id') },
                  },
                },
              ),
              call(
                { path: '/x/{part}/y/{other}', method: 'GET', binds: 'response', query: ['q', 'r'] },
                {
                  part: createLiteral(text),
                  other: createRef('user', key, 'id'),
                  q: createLiteral(text),
                  r: createRef('user', key, 'id'),
                },
              ),
              { kind: 'edit', target: createRef('response', key), value: createLiteral(value) },
              {
                kind: 'edit',
                target: createRef('user', key, 'id'),
                value: { kind: 'list', items: [createLiteral(text), createRef('response', 'n')] },
              },
            ],
            result: [
              { key: 'a', value: createRef('response') },
              { key: 'b', value: createRef('user') },
            ],
          })
          items.push(await recorded(program, { user: { [key]: { id: text } } }, () => ({ n: 1 })))
        },
      ),
      { seed: 4, numRuns: 300 },
    )
    expect(differences(items)).toEqual([])
  })

  test('functions of a module, and tools', () => {
    const program = withId({
      schema: 1,
      scenario: 'none',
      variables: [],
      world: null,
      body: [
        {
          kind: 'function',
          api: 'cat',
          name: 'torch.cat',
          positional: ['tensors'],
          args: { tensors: { kind: 'list', items: [createRef('a'), createRef('b')] }, dim: createLiteral(1) },
          binds: 'response_0',
        },
        { kind: 'tool', api: 'speak', args: { text: createLiteral('hi'), loud: createLiteral(true) } },
      ],
      result: [{ key: 'sum', value: createRef('response_0', 'sum') }],
    })
    expect(emit(program, 'python')).toBe(
      'import torch\n\nresponse_0 = torch.cat([a, b], dim=1)\nspeak(loud=True, text="hi")\nRESULT = {"sum": response_0["sum"]}\n',
    )
  })
})
