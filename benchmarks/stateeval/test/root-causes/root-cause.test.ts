import { expect, test } from '@jest/globals'
import type { LoggedRequest, Observation } from '@stateeval/contracts'
import { alignSteps } from '../../root-cause/align.ts'
import { readObservedCalls } from '../../root-cause/observed.ts'
import { pairCalls } from '../../root-cause/paired-calls.ts'
import { parseEndpoints, matchEndpoint } from '../../root-cause/requests.ts'
import { type ExpectedCall, findRootCause, type RootCauseSituation } from '../../root-cause/root-cause.ts'

const idOf = (n: number) => `id${String(n).padStart(8, '0')}`

const documentation = `
## list
GET /api/sessions/{source}/{type}
## query
**GET** \`/api/sessions/{source}/{type}/query?field={field}&value={value}\`
## add
POST \${BASE_URL}/api/sessions/{source}/{type}, body: the data
## update
PUT /api/sessions/{source}/{type}/{id}, body: the data
## delete
DELETE /api/sessions/{source}/{type}/{id}`
const endpoints = parseEndpoints(documentation)
const place = { source: 'abc', type: 'group' }
const sources = { source: 'given', type: 'given', body: 'given' } as const
const list: ExpectedCall = { api: 'list', args: place, sources, output: [{ id: 1 }], changes: false }
const add: ExpectedCall = {
  api: 'add',
  args: { ...place, body: {} },
  sources,
  output: { id: '<created 1>' },
  changes: true,
}
const remove: ExpectedCall = {
  api: 'delete',
  args: { ...place, id: '<initial 1>' },
  sources: { ...sources, id: 'answer' },
  changes: true,
}

const sent = (method: string, path: string, status = 200, responseBody?: string): LoggedRequest => ({
  method,
  path,
  status,
  ...(responseBody !== undefined && { responseBody }),
  ...(method === 'POST' && { requestBody: '{}' }),
})
const at = '/api/sessions/abc/group'
const situation = (
  log: LoggedRequest[],
  more: Partial<RootCauseSituation> = {},
  ending: Observation['ending'] = { status: 'completed', result: { a: 1 } },
): RootCauseSituation => ({
  verdict: 'result_error',
  evidence: { differences: [] },
  observation: {
    ending,
    world: {
      state: { items: [] },
      ids: { initial: [idOf(0), idOf(1)], created: [idOf(2)] },
      gone: [{ id: idOf(1), last: {} }],
    },
    log,
    output: '',
    faults: [],
    wallMs: 1,
    sandbox: 'fake',
  },
  expectedCalls: [list, add, remove],
  endpoints,
  resultKeys: ['a'],
  ...more,
})
const threw = (name: string, message: string): Partial<RootCauseSituation> => ({
  verdict: 'execution_error',
  evidence: { differences: [], error: { name, message } },
})
const [gotten, added, removed] = [
  sent('GET', at, 200, '[{"id":1}]'),
  sent('POST', at, 200, `{"id":"${idOf(2)}"}`),
  sent('DELETE', `${at}/${idOf(0)}`),
]

test('endpoints are read from the documentation, and requests matched to the most literal one', () => {
  expect(endpoints).toEqual([
    { api: 'list', method: 'GET', path: '/api/sessions/{source}/{type}', query: [] },
    { api: 'query', method: 'GET', path: '/api/sessions/{source}/{type}/query', query: ['field', 'value'] },
    { api: 'add', method: 'POST', path: '/api/sessions/{source}/{type}', query: [], body: 'body' },
    { api: 'update', method: 'PUT', path: '/api/sessions/{source}/{type}/{id}', query: [], body: 'body' },
    { api: 'delete', method: 'DELETE', path: '/api/sessions/{source}/{type}/{id}', query: [] },
  ])
  expect(
    matchEndpoint({ method: 'GET', path: `${at}/query?field=a&value=b` }, endpoints)?.endpoint.path,
  ).toMatch(/query$/)
  expect(matchEndpoint({ method: 'DELETE', path: `${at}/x%20y` }, endpoints)?.segments).toEqual({
    source: 'abc',
    type: 'group',
    id: 'x y',
  })
  expect(matchEndpoint({ method: 'PATCH', path: at }, endpoints)).toBeNull()
})

const removeOf = (id: string, status = 404) => sent('DELETE', `${at}/${id}`, status)
const cases: [string, RootCauseSituation, string, RegExp][] = [
  [
    'a path without its prefix',
    situation([gotten, sent('POST', '/abc/group', 404)]),
    'documentation_misread/unknown_endpoint',
    /POST \/abc\/group is no endpoint/,
  ],
  [
    'an id of nothing',
    situation([gotten, added, removeOf('undefined')]),
    'documentation_misread/unknown_property',
    /property that the answer does not have/,
  ],
  [
    'an id of an empty list',
    situation([sent('GET', at, 200, '[]'), added, removeOf('undefined')]),
    'implicit_state_mismanaged/empty_result',
    /empty/,
  ],
  [
    'a deleted item’s id',
    situation([gotten, added, removeOf(idOf(1), 200), removeOf(idOf(1))], {
      expectedCalls: [list, add, { ...remove, args: { ...place, id: '<initial 2>' } }, remove],
    }),
    'implicit_state_mismanaged/stale_id',
    /had been deleted/,
  ],
  [
    'a made-up id',
    situation([gotten, added, removeOf('7')]),
    'implicit_state_mismanaged/missing_id',
    /never issued/,
  ],
  [
    'another item’s id',
    situation([gotten, added, removeOf(idOf(2), 200)]),
    'implicit_state_mismanaged/other_item',
    /another item/,
  ],
  [
    'an object as id',
    situation([gotten, added, removeOf('[object Object]')]),
    'implicit_state_mismanaged/wrong_shape',
    /an object was passed/,
  ],
  [
    'exchanged parts of the path',
    situation([sent('GET', '/api/sessions/group/abc', 400)]),
    'documentation_misread/unknown_parameter',
    /exchanged/,
  ],
  [
    'an undefined name',
    situation([gotten], threw('ReferenceError', 'user_variable_9 is not defined'), {
      status: 'threw',
      error: { name: 'ReferenceError', message: '' },
    }),
    'instruction_not_followed/unknown_name',
    /user_variable_9/,
  ],
  [
    'a part that answers lack',
    situation([gotten], threw('TypeError', "Cannot read properties of undefined (reading 'x')"), {
      status: 'threw',
      error: { name: 'TypeError', message: '' },
    }),
    'documentation_misread/unknown_property',
    /does not have/,
  ],
  [
    'a shape (the paper’s Example 3)',
    situation(
      [gotten],
      threw('RuntimeError', 'mat1 and mat2 shapes cannot be multiplied (21x42 and 21x12)'),
      {
        status: 'threw',
        error: { name: 'RuntimeError', message: '' },
      },
    ),
    'implicit_state_mismanaged/wrong_shape',
    /mat1 and mat2/,
  ],
  [
    'a missing key',
    situation([gotten, added, removed], { resultKeys: ['a', 'b'] }),
    'instruction_not_followed/other_result',
    /RESULT lacks b/,
  ],
  [
    'a delete left out',
    situation([gotten, added]),
    'instruction_not_followed/missing_call',
    /delete was not called/,
  ],
  [
    'an add too many',
    situation([gotten, added, added, removed]),
    'instruction_not_followed/extra_call',
    /add was called once more/,
  ],
  [
    'another order',
    situation([gotten, removed, added]),
    'instruction_not_followed/other_order',
    /a different position/,
  ],
  [
    'one more read',
    situation([gotten, gotten, added, removed]),
    'instruction_not_followed/unclear',
    /calls are the expected ones/,
  ],
  [
    'polling',
    situation(
      Array.from({ length: 50 }, () => gotten),
      { verdict: 'timeout' },
      { status: 'timeout', limit: 'wall', afterMs: 1 },
    ),
    'implicit_state_mismanaged/endless_wait',
    /repeats one request/,
  ],
  ['no code', situation([], { verdict: 'no_code' }), 'instruction_not_followed/no_program', /no code/],
]
test.each(cases)('%s', (_, input, cause, because) => {
  const diagnosis = findRootCause(input)
  expect(`${diagnosis?.cause}/${diagnosis?.kind}`).toBe(cause)
  expect(diagnosis?.because).toMatch(because)
})

test('tools, logged by name: another one is called (the paper’s Example 2)', () => {
  const call = (api: string, args: object, answer: unknown): LoggedRequest => ({
    method: 'CALL',
    path: api,
    status: 200,
    requestBody: JSON.stringify(args),
    responseBody: JSON.stringify(answer),
  })
  const tool = (
    api: string,
    args: ExpectedCall['args'],
    output: NonNullable<ExpectedCall['output']>,
    changes = false,
  ): ExpectedCall => ({
    api,
    args,
    sources: { voice_name: 'answer', input_speech: 'answer' },
    output,
    changes,
  })
  const expectedCalls = [
    tool('isolate_audio', { input_speech: 'load' }, 'audio 1'),
    tool('speech_to_speech', { input_speech: 'audio 1', voice_name: 'Ava' }, 'audio 2'),
    tool('make_call', { speech: 'audio 2' }, 'done', true),
  ]
  const log = [
    call('isolate_audio', { input_speech: 'load' }, 'audio 1'),
    call('text_to_speech', { text: 'load', voice_name: 'Ava' }, 'audio 3'),
    call('make_call', { speech: 'audio 3' }, 'done'),
  ]
  expect(findRootCause(situation(log, { expectedCalls }))).toMatchObject({
    cause: 'instruction_not_followed',
    kind: 'other_api',
    because: 'call 2: text_to_speech was called instead of speech_to_speech',
  })
})

test('no cause where there is no failure of the candidate', () => {
  expect(findRootCause(situation([], { verdict: 'passed' }))).toBeNull()
  expect(findRootCause(situation([], { verdict: 'infrastructure_error' }))).toBeNull()
})

test('calls are laid beside the reference’s, each with what is wrong with it', () => {
  const log = [
    sent('GET', '/api/sessions/abc/groups', 200, '[]'),
    sent('POST', at, 201, JSON.stringify({ id: idOf(2) })),
    sent('GET', '/api/nowhere', 404),
  ]
  const { observation } = situation(log)
  const calls = pairCalls(
    alignSteps([list, add, remove], readObservedCalls(observation!, endpoints, [list, add, remove])).steps,
  )
  expect(calls.map(({ arguments: names, says }) => [names, says !== undefined])).toEqual([
    [['type'], true],
    [[], false],
    [[], true],
  ])
  expect(calls[0]).toMatchObject({
    expected: 'list(source: "abc", type: "group")',
    found: 'list(source: "abc", type: "groups")',
    status: 200,
  })
  expect(calls[2]).toMatchObject({ expected: expect.stringContaining('delete('), status: 404 })
})
