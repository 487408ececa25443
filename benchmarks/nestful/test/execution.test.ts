/**
 * What runs: the basic functions, the mock, live requests through the output parser, and the world's laws.
 */
import { expect, test } from '@jest/globals'
import type {
  EpisodeEvent,
  EpisodeOptions,
  HostNeed,
  AnswerReading,
  EpisodeTransition,
} from '@stateeval/contracts'
import { completeLimits, type WorldHost } from '@stateeval/sandbox'
import { createWorld } from '../backend/index.ts'
import { hosts } from '../execution/hosts.ts'
import { readOutput } from '../execution/live.ts'
import { runFunctions } from '../functions/run.ts'
import { readWhole } from '../python/read.ts'
import { formatPyJson } from '../python/value.ts'
import { defaults } from './drive.ts'
import { sampleBenchmark, sampleCase, sampleFiles } from './sample.ts'

const tool = (name: string) => ({ name, parameters: ['arg_0', 'arg_1'], outputs: ['result'] })
/** The outcome of one call with these arguments by position. */
function ran(name: string, ...values: string[]) {
  const args = `{${values.map((value, at) => `"arg_${at}": ${value}`).join(', ')}}`
  const outcome = runFunctions([{ name, label: 'var1', arguments: args }], [tool(name)], 'published')
  return outcome.outcome === 'value' ? outcome.value : outcome.says
}

test.each<[string, string[], string | RegExp]>([
  ['add', ['1', '2'], '3'],
  ['add', ['1', '2.0'], '3.0'],
  ['add', ['"a"', '"b"'], '"ab"'],
  ['add', ['true', '1'], '2'],
  ['subtract', ['1', '3'], '-2'],
  ['multiply', ['123456789012345678901', '10'], '1234567890123456789010'],
  ['divide', ['6', '3'], '2.0'],
  ['divide', ['1', '3'], '0.3333333333333333'],
  ['divide', ['1', '0'], /ZeroDivisionError/],
  ['divide', [`1${'0'.repeat(40)}`, `3${'0'.repeat(39)}`], '3.3333333333333335'],
  ['power', ['2', '100'], '1267650600228229401496703205376'],
  ['power', ['2', '-1'], '0.5'],
  ['power', ['-8', '0.5'], '"(1.7319121124709868e-16+2.8284271247461903j)"'],
  ['power', ['0', '-1'], /ZeroDivisionError/],
  ['sqrt', ['17'], '4'],
  ['sqrt', ['16.0'], /TypeError/],
  ['sqrt', ['-1'], /ValueError/],
  ['log', ['100', '10'], '2'],
  ['log', ['8'], '2'],
  ['floor', ['-1.5'], '-2'],
  ['remainder', ['-7', '3'], '2'],
  ['reminder', ['7', '-3'], '-2'],
  ['reminder', ['5.5', '2'], '1.5'],
  ['gcd', ['12.9', '"18"'], '6'],
  ['lcm', ['4', '6'], '12'],
  ['factorial', ['20'], '2432902008176640000'],
  ['factorial', ['-1'], /negative/],
  ['factorial', ['5.0'], /TypeError/],
  ['choose', ['5', '2'], '10'],
  ['choose', ['2', '5'], '0'],
  ['permutation', ['5', '2'], '20'],
  ['negate', ['5'], '-5'],
  ['inverse', ['4'], '0.25'],
  ['negate_prob', ['0.25'], '0.75'],
  ['max_number', ['[1, 3.5, 2]'], '3.5'],
  ['min_number', ['[]'], /empty/],
  ['speed', ['10', '4'], '2.5'],
  ['circle_area', ['1'], '3.141592653589793'],
  ['circumface', ['1'], '6.283185307179586'],
  ['surface_sphere', ['1'], '12.566370614359172'],
  ['volume_sphere', ['1'], '4.1887902047863905'],
  ['volume_cylinder', ['1', '2'], '6.283185307179586'],
  ['volume_cone', ['1', '3'], '3.141592653589793'],
  ['surface_cylinder', ['1', '1'], '12.566370614359172'],
  ['volume_cube', ['3'], '27'],
  ['surface_cube', ['2'], '24'],
  ['cube_edge_by_volume', ['27'], '3.0'],
  ['square_area', ['3'], '9'],
  ['square_perimeter', ['3'], '12'],
  ['square_edge_by_area', ['9'], '3.0'],
  ['square_edge_by_perimeter', ['10'], '2.5'],
  ['rectangle_area', ['2', '3'], '6'],
  ['rectangle_perimeter', ['2', '3'], '10'],
  ['diagonal', ['3', '4'], '5.0'],
  ['rhombus_area', ['3', '4'], '6.0'],
  ['triangle_area', ['3', '4'], '6.0'],
  ['add', ['1'], /missing the argument/],
  ['add', ['1', '2', '3'], /takes 2 positional arguments but 3/],
  ['find_kth_largest', ['[5, 1, 4]', '2'], '4'],
  ['find_kth_largest', ['[5, 1, 4]', '4'], 'null'],
  ['convert_to_float_or_string', ['"2.50"'], '2.5'],
  ['convert_to_float_or_string', ['"x"'], '"x"'],
  ['unique_common_values', ['[9, 1, 2]', '[2, 9]'], /depends on how Python|\[/],
  ['make_json_string', ['{"a": [1, "é"]}'], '"{\\"a\\": [1, \\"\\\\u00e9\\"]}"'],
  ['tokenize_sentence', ['"Hello, (World)!"'], '["hello", "world"]'],
  ['unknown', ['1'], /is not implemented here/],
])('%s of %j gives %s', (name, values, expected) => {
  const outcome = ran(name, ...values)
  if (typeof expected === 'string') expect(outcome).toBe(expected)
  else expect(outcome).toMatch(expected)
})

test('by position, names are ignored; by name, order is', () => {
  const calls = [{ name: 'subtract', label: 'v', arguments: '{"arg_1": 1, "arg_0": 10}' }]
  expect(runFunctions(calls, [tool('subtract')], 'published')).toMatchObject({ value: '-9' })
  expect(runFunctions(calls, [tool('subtract')], 'sound')).toMatchObject({ value: '9' })
})
test.each<[object, RegExp]>([
  [{ name: 'add', arguments: '{"a": 1, "b": 2}' }, /the label is missing/],
  [{ name: 'add', label: 'v', arguments: '' }, /the arguments are missing/],
  [{ name: 'multiply', label: 'v', arguments: '{}' }, /not one of the tools/],
])('%j fails as in the released code', (call, says) => {
  const outcome = runFunctions([call as never], [tool('add')], 'published')
  expect(outcome).toMatchObject({ outcome: 'failed', says: expect.stringMatching(says) })
})
test('a tool with two outputs cannot be run', () => {
  const call = { name: 'add', label: 'v', arguments: '{"a": 1, "b": 2}' }
  expect(runFunctions([call], [{ ...tool('add'), outputs: ['a', 'b'] }], 'sound')).toMatchObject({
    outcome: 'failed',
    says: 'add has no single output parameter',
  })
})

test.each([
  ['result.data[0].{param}', '{"data": [{"id": 7}]}', 'id', '7'],
  ['result.data[0].{param}', '{"data": []}', 'id', undefined],
  ['result.{param}', '{"location": {"name": "Rome"}}', 'location.name', '"Rome"'],
  ['result.{}.{param}', '{"n": 1, "IT": {"cases": 3}}', 'cases', '3'],
  ['result[0].{param}', '[{"author": [{"id": 1}]}]', 'author[0].id', '1'],
  [
    'result.Realtime Currency Exchange Rate.{param}',
    '{"Realtime Currency Exchange Rate": {"Ask Price": "1.5"}}',
    'Ask Price',
    '"1.5"',
  ],
])('by %s, %s has %s', (parser, response, path, expected) => {
  const output = readOutput(readWhole(response), parser, path)
  expect(output === undefined ? undefined : formatPyJson(output)).toBe(expected)
})

const c = sampleCase('executable-1')
/** The harbour's hosts, as an evaluation has them. */
const parts = JSON.parse(sampleFiles()['v1/executable/executable-spec.json']!).map(
  ({ host }: { host: string }) => `http:${host}`,
) as string[]
/** Leads the reference's answer over an API that answers as `respond` says. */
function led(
  respond: (need: HostNeed & { kind: 'http' }, at: number) => EpisodeEvent,
  options: EpisodeOptions = { ...defaults, parts },
): {
  readings: AnswerReading[]
  requests: string[]
} {
  const answer = sampleBenchmark.player(c, defaults)!({ role: 'model', messages: [] })!
  const transcripts = [
    { role: 'model' as const, messages: [{ role: 'assistant' as const, content: answer.text }] },
  ]
  let turn: EpisodeTransition = sampleBenchmark.episode.start(c, options)
  turn = sampleBenchmark.episode.resume(c, options, null, { kind: 'replied', ...answer }, transcripts)
  const requests: string[] = []
  for (let at = 0; !('done' in turn); at++) {
    const { need, state } = turn
    let event: EpisodeEvent
    if (need.kind === 'http') {
      const { method, path, query, body } = need.request
      requests.push(`${method} ${path} ${JSON.stringify(query ?? body)}`)
      event = respond(need, at)
    } else {
      requests.push(need.kind)
      const observation = {
        ending: { status: 'completed', result: [{ outcome: 'value', value: 'null' }] },
        faults: [],
      }
      event = { kind: 'executed', run: 0, result: { observations: [observation], runtime: '' } } as never
    }
    // States are stored as JSON.
    turn = sampleBenchmark.episode.resume(
      c,
      options,
      JSON.parse(JSON.stringify(state)) as never,
      event,
      transcripts,
    )
  }
  const { done } = turn
  return { readings: done.kind === 'calls' ? done.attempts[0]!.readings : [], requests }
}
const answers = [
  '{"ports": [{"port_id": "EMD", "berths": 4}]}',
  '{"booking": {"booking_id": "b1", "fee": 12.5}}',
  '{"sent": true}',
]

test('live, references are resolved from real responses through the output parser', () => {
  const { readings, requests } = led((_, at) => ({ kind: 'responded', status: 200, body: answers[at]! }))
  expect(requests).toEqual([
    'GET /ports {"town":"Emden"}',
    'POST /berths {"port":"EMD","ship":"Albatros","arrival":"2025-06-01","class":"medium"}',
    'POST /notes {"to":"Ina","lines":"12.5"}',
  ])
  expect(readings.slice(1).map(({ none }) => none)).toEqual([
    'live: every call was answered',
    'live: every call was answered',
  ])
})
test.each<[string, (at: number) => EpisodeEvent, RegExp]>([
  [
    'an error',
    () => ({ kind: 'responded', status: 404, body: '' }),
    /live: call 1 failed: the API answered 404/,
  ],
  ['no JSON', () => ({ kind: 'responded', status: 200, body: '<html>' }), /live: call 1 failed: .* not JSON/],
  [
    'no such output',
    () => ({ kind: 'responded', status: 200, body: '{"ports": []}' }),
    /live: call 2 failed: .*there is no port_id/,
  ],
  ['nobody', () => ({ kind: 'unavailable', reason: 'failed', detail: 'away' }), /live: not run: away/],
  [
    'nothing, as the request is too long to send',
    () => ({ kind: 'unavailable', reason: 'refused', detail: 'a URL of more than 16000 characters' }),
    /live: call 1 failed: a URL of more/,
  ],
])('an API that answers with %s', (_, respond, says) => {
  expect(led((_need, at) => respond(at)).readings[2]!.none).toMatch(says)
})
test('without live APIs the mock answers', () => {
  const { requests, readings } = led(() => {
    throw new Error('nothing is sent')
  }, defaults)
  expect(requests).toEqual(['execute'])
  expect(readings[2]).toMatchObject({ run: 0 })
})
test('live hosts have names that can be configured', () => {
  for (const host of hosts) expect(host).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
})

test('the world answers what is no list with words, and the same calls with the same bytes', async () => {
  const world = createWorld({} as WorldHost)
  const open = await world.open({}, completeLimits({}), 'seed')
  for (const [name, args] of [
    ['run_functions', {}],
    ['run_functions', { calls: [{ name: 1 }], tools: [], rules: 'sound' }],
    ['run_functions', { calls: [], tools: [], rules: 'other' }],
    ['run_mock', { calls: [], apis: [{ name: 'x' }] }],
    ['other', { calls: [] }],
  ] as const)
    expect(await open.call!(name, args as never)).toMatchObject({ error: true })
  const call = {
    calls: [{ name: 'add', label: 'v', arguments: '{"a": 1.0, "b": 2}' }],
    tools: [tool('add')],
    rules: 'published',
  }
  const first = await open.call!('run_functions', call)
  expect(first.content).toBe('{"outcome":"value","value":"3.0"}')
  expect(
    await (
      await world.open({}, completeLimits({}), 'other')
    ).call!('run_functions', call as never),
  ).toEqual(first)
})
