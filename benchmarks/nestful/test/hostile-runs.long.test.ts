/**
 * What hostile answers and hostile APIs make of a run: lists that take hours to compute, references to what
 * every object has, responses that are too large to keep. Each run ends, and says how.
 */
import { expect, test } from '@jest/globals'
import {
  Candidate,
  type EpisodeEvent,
  type LiveRequest,
  findSchemaFault,
  ScoredSample,
} from '@stateeval/contracts'
import { type Episode, runEpisode } from '@stateeval/program'
import type { NestfulCase } from '../case.ts'
import { importNestful } from '../dataset/from-dataset.ts'
import { runFunctions } from '../functions/run.ts'
import { benchmarkOf, defaults } from './drive.ts'
import { sampleFiles } from './sample.ts'

const call = (name: string, label: string, ...args: string[]) => ({
  name,
  label,
  arguments: `{${args.map((text, at) => `"arg_${at}": ${text}`).join()}}`,
})
const tools = [
  'multiply',
  'add',
  'max_number',
  'find_kth_largest',
  'make_json_string',
  'factorial',
  'gcd',
  'choose',
]
const run = (...calls: ReturnType<typeof call>[]) =>
  runFunctions(
    calls,
    tools.map((name) => ({
      name,
      parameters: /^(?:max|make|fact)/.test(name) ? ['arg_0'] : ['arg_0', 'arg_1'],
      outputs: ['result'],
    })),
    'sound',
  )
const many = (count: number, one: ReturnType<typeof call>) => Array.from({ length: count }, () => one)
const list = (length: number, item = '0') => `[${Array(length).fill(item).join()}]`

test.each<[string, ReturnType<typeof call>[]]>([
  ['a long list in a list, repeated', [call('multiply', 'v', `[${list(20_000)}]`, '1000000')]],
  [
    'references to a long list, thousands of times',
    [call('multiply', 'v', '[0]', '1000000'), call('make_json_string', 'w', list(50_000, '"$v.result$"'))],
  ],
  [
    'references to a long text within a text',
    [call('multiply', 'v', '"x"', '1000000'), call('add', 'w', `"${'$v.result$'.repeat(100_000)}"`, '"y"')],
  ],
  [
    'a long list that is sorted again and again',
    [
      call('multiply', 'v', '[0, 1]', '100000'),
      ...many(5000, call('find_kth_largest', 'w', '"$v.result$"', '1')),
    ],
  ],
  ['thousands of factorials', many(10_000, call('factorial', 'v', '10000'))],
  ['thousands of binomials', many(10_000, call('choose', 'v', '15000', '7500'))],
  [
    'divisors of huge numbers',
    [
      call('factorial', 'a', '10000'),
      call('factorial', 'b', '10001'),
      ...many(5000, call('gcd', 'c', '"$a.result$"', '"$b.result$"')),
    ],
  ],
])('%s could not be run, and is given up early', (_, calls) => {
  expect(run(...calls)).toMatchObject({
    outcome: 'unavailable',
    says: 'the calls take more than 4000000 steps',
  })
})

test('an empty list or text stays empty, however often it is repeated', () => {
  for (const times of ['100000000', '9007199254740993', `1${'0'.repeat(400)}`])
    for (const empty of ['[]', '""'])
      expect(run(call('multiply', 'v', empty, times))).toMatchObject({ outcome: 'value', value: empty })
})

test('what published samples take is far below that', () => {
  expect(run(call('factorial', 'v', '1000'), call('gcd', 'w', '"$v.result$"', '7'))).toMatchObject({
    value: '7',
  })
  const sums = Array.from({ length: 10_000 }, (_, at) =>
    call('add', `v${at}`, at === 0 ? '1' : `"$v${at - 1}.result$"`, '1'),
  )
  expect(run(...sums)).toMatchObject({ value: '10001' })
})

/** The sample's executable part, with the town of a port in the path. */
const specFile = 'v1/executable/executable-spec.json'
const files = sampleFiles()
const inPath = files[specFile]!.replace('"endpoint": "/ports"', '"endpoint": "/ports/{town}"').replace(
  '"query_parameters": {\n      "town"',
  '"path_parameters": {\n      "town"',
)
const set = importNestful({ ...files, [specFile]: inPath })
const benchmark = benchmarkOf(set.artifacts)
const cases = set.lines.map((line) => benchmark.parse(line))
const c = cases.find(({ task }) => task.form === 'v1')!
const maxState = 65_536
const parts = JSON.parse(inPath).map(({ host }: { host: string }) => `http:${host}`) as string[]

async function led(answer: unknown, body: string | ((request: LiveRequest) => EpisodeEvent) = port('P')) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const requests: LiveRequest[] = []
  const episode: Episode<NestfulCase> = {
    ...benchmark.episode,
    resume(...args) {
      const turn = benchmark.episode.resume(...args)
      if ('done' in turn) return turn
      // States are stored as JSON.
      const state = JSON.stringify(turn.state)
      expect(Buffer.byteLength(state)).toBeLessThanOrEqual(maxState)
      return { ...turn, state: JSON.parse(state) as typeof turn.state }
    },
  }
  const { candidate } = await runEpisode(
    episode,
    c,
    { ...defaults, parts },
    {
      reply: () => ({ text, finish: 'stop' }),
      consult: (need) => {
        if (need.kind !== 'http') throw new Error(need.kind)
        requests.push(need.request)
        return typeof body === 'string' ? { kind: 'responded', status: 200, body } : body(need.request)
      },
    },
  )
  expect(findSchemaFault(Candidate, candidate)).toBeNull()
  const score = benchmark.score({ case: c, candidate })
  expect(findSchemaFault(ScoredSample, { case: c.id, sample: 0, score })).toBeNull()
  const [attempt] = candidate.said.kind === 'calls' ? candidate.said.attempts : []
  return { requests, score, ended: attempt!.readings.at(-1)!.none }
}
const port = (id: unknown) => JSON.stringify({ ports: [{ port_id: id, berths: 4 }] })
const find = (town: unknown, label = '$var1') => ({ name: 'Harbour_Find_Port', label, arguments: { town } })
const book = (args: object) => ({ name: 'Harbour_Book_Berth', label: '$var2', arguments: args })
const answered = 'live: every call was answered'

test.each<[string, unknown, string, string | RegExp]>([
  [
    'a value of 30,000 characters',
    [find('Emden'), book({ port: '$var1.port_id$' })],
    port('x'.repeat(30_000)),
    answered,
  ],
  [
    'half a surrogate pair',
    [find('Emden'), book({ port: '$var1.port_id$' })],
    port('?').replace('?', '\\ud800'),
    answered,
  ],
  [
    'values that are too large to keep',
    [find('Emden'), book({ port: '$var1.port_id$' })],
    port('x'.repeat(60_000)),
    /^live: call 1 failed: later calls refer to values of 60\d{3} bytes/,
  ],
  [
    'many such values',
    [
      find('Emden'),
      book(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, `$var1.port_id.k${n}$`]))),
    ],
    port(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'y'.repeat(15_000)]))),
    /^live: call 1 failed: later calls refer to/,
  ],
  [
    'a label that is too large to keep',
    [find('Emden', `$${'v'.repeat(70_000)}`), book({ port: `$${'v'.repeat(70_000)}.port_id$` })],
    port('P'),
    /^live: call 1 failed: later calls refer to/,
  ],
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(
    (name): [string, unknown, string, RegExp] => [
      `the output ${name}, which every object has`,
      [find('Emden'), book({ port: `$var1.${name}$` })],
      port('P'),
      /^live: call 2 failed: .*there is no/,
    ],
  ),
  ...['__proto__', 'constructor'].map((label): [string, unknown, string, string] => [
    `the label ${label}`,
    [find('Emden', `$${label}`), book({ port: `$${label}.port_id$` })],
    port('P'),
    answered,
  ]),
  [
    'an output that is called __proto__',
    [find('Emden'), book({ port: '$var1.__proto__$' })],
    '{"ports": [{"__proto__": "P"}]}',
    answered,
  ],
  [
    'one reference, 10,000 times',
    [find('Emden'), book({ port: '$var1.port_id$'.repeat(10_000) })],
    port('x'.repeat(30_000)),
    /^live: call 2 failed: the calls take more than/,
  ],
  ['lists that are too deep', [find('Emden')], '['.repeat(100_000), /is not JSON/],
  ['an integer that is too long', [find('Emden')], port(0).replace('0', '9'.repeat(100_000)), /is not JSON/],
  ['nothing', [find('Emden')], '', /is not JSON/],
])('live, %s', async (_, answer, body, ended) => {
  const outcome = await led(answer, body)
  if (typeof ended === 'string') expect(outcome.ended).toBe(ended)
  else expect(outcome.ended).toMatch(ended)
})

test.each(['.', '..'])('the town %j would lead to another path: nothing is sent', async (town) => {
  const { requests, ended } = await led([find(town)])
  expect([requests, ended]).toEqual([[], expect.stringContaining('call 1 failed: town is .')])
})
test.each([
  ['../admin', '/ports/..%2Fadmin'],
  ['%2e%2e', '/ports/%252e%252e'],
  ['a?x=1#y', '/ports/a%3Fx%3D1%23y'],
  ['\ud800', '/ports/%EF%BF%BD'],
  ['$&$1', '/ports/%24%26%241'],
  ['\u202e\n', '/ports/%E2%80%AE%0A'],
])('the town %j is one part of the path', async (town, path) => {
  const { requests } = await led(
    JSON.stringify([find('TOWN')]).replace('TOWN', () => JSON.stringify(town).slice(1, -1)),
  )
  expect(requests[0]?.path).toBe(path)
})

test('arguments named as what every object has are sent as they are, and change nothing else', async () => {
  const right = JSON.stringify(await led([find('Emden'), book({ port: '$var1.port_id$' })]))
  const { requests } = await led(
    '[{"name": "Harbour_Book_Berth", "arguments": {"__proto__": {"polluted": 1}, "constructor": "x"}}]',
  )
  expect(JSON.stringify(requests[0]?.body)).toBe('{"__proto__":"{\\"polluted\\": 1}","constructor":"x"}')
  expect([Object.keys(Object.prototype), ({} as { polluted?: unknown }).polluted]).toEqual([[], undefined])
  expect(JSON.stringify(await led([find('Emden'), book({ port: '$var1.port_id$' })]))).toBe(right)
})

test('a list sends 100 requests to live APIs at most', async () => {
  const { requests, ended } = await led(Array.from({ length: 150 }, (_, n) => find(`T${n}`, `$var${n}`)))
  expect(ended).toBe('live: call 101 failed: a list may send 100 requests')
  // Each reading sends the same requests, which the host asks once.
  expect(new Set(requests.map(({ path: sent }) => sent)).size).toBe(100)
})
