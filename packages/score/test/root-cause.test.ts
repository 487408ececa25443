import { expect, test } from '@jest/globals'
import type { LoggedRequest, Observation } from '@stateeval/contracts'
import { documentedEndpoints, matchEndpoint, rootCause, type RootCauseSituation } from '../src/index.ts'
import { idOf, world } from './model.ts'

const documentation = `
### list
GET /api/sessions/{source}/{type}
### query
**GET** \`/api/sessions/{source}/{type}/query\`
### add
POST \${BASE_URL}/api/sessions/{source}/{type}
### update, delete
PUT /api/sessions/{source}/{type}/{id}
DELETE /api/sessions/{source}/{type}/{id}`
const endpoints = documentedEndpoints(documentation)
const [list, , add, , remove] = endpoints as [Endpoint, Endpoint, Endpoint, Endpoint, Endpoint]
type Endpoint = (typeof endpoints)[number]

const sent = (method: string, path: string, status = 200, responseBody = '{}'): LoggedRequest => ({ method, path, status, responseBody })
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
    world: world([], { initial: [idOf(0), idOf(1)], created: [idOf(2)] }, [{ id: idOf(1), last: {} }]),
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
const [gotten, added, removed] = [sent('GET', at, 200, '[{"id":1}]'), sent('POST', at), sent('DELETE', `${at}/${idOf(0)}`)]

test('endpoints are read from the documentation, and requests matched to the most literal one', () => {
  expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/sessions/{source}/{type}',
    'GET /api/sessions/{source}/{type}/query',
    'POST /api/sessions/{source}/{type}',
    'PUT /api/sessions/{source}/{type}/{id}',
    'DELETE /api/sessions/{source}/{type}/{id}',
  ])
  expect(matchEndpoint({ method: 'GET', path: `${at}/query?field=a&value=b` }, endpoints)?.endpoint.path).toMatch(/query$/)
  expect(matchEndpoint({ method: 'DELETE', path: `${at}/x%20y` }, endpoints)?.segments).toEqual({ source: 'abc', type: 'group', id: 'x y' })
  expect(matchEndpoint({ method: 'PATCH', path: at }, endpoints)).toBeNull()
})

const cases: [string, RootCauseSituation, string, RegExp][] = [
  ['a path without its prefix', situation([sent('POST', '/abc/group', 404)]), 'documentation_misread', /POST \/abc\/group is no endpoint/],
  ['a body that is refused', situation([sent('POST', at, 400)]), 'documentation_misread', /answered 400/],
  ['a deleted item’s id', situation([sent('DELETE', `${at}/${idOf(1)}`, 404)]), 'implicit_state_mismanaged', /had been deleted/],
  ['a made-up id', situation([sent('DELETE', `${at}/undefined`, 404)]), 'implicit_state_mismanaged', /never issued/],
  [
    'an undefined name',
    situation([gotten], threw('ReferenceError', 'user_variable_9 is not defined')),
    'instruction_not_followed',
    /user_variable_9/,
  ],
  [
    'an element of an empty list',
    situation([sent('GET', at, 200, '[]')], threw('TypeError', 'reading id of undefined')),
    'implicit_state_mismanaged',
    /empty/,
  ],
  ['a part that answers lack', situation([gotten], threw('TypeError', 'reading x of undefined')), 'documentation_misread', /does not have/],
  ['a missing key', situation([gotten, added, removed], { resultKeys: ['a', 'b'] }), 'instruction_not_followed', /RESULT lacks b/],
  ['a delete left out', situation([gotten, added]), 'instruction_not_followed', /DELETE .* sent once less/],
  ['an add too many', situation([gotten, added, added, removed]), 'instruction_not_followed', /POST .* sent once more/],
  ['one more read', situation([gotten, gotten, added, removed]), 'instruction_not_followed', /requests are the expected ones/],
  [
    'another item',
    situation([gotten, added, removed], {
      evidence: { differences: [{ where: 'state', says: 'the session titled "B" should have been deleted but is still there' }] },
    }),
    'implicit_state_mismanaged',
    /another item/,
  ],
  [
    'another value',
    situation([gotten, added, removed], { evidence: { differences: [{ where: 'result', says: 'RESULT.a is 1, expected 2' }] } }),
    'instruction_not_followed',
    /RESULT.a is 1/,
  ],
  [
    'polling',
    situation(
      Array.from({ length: 50 }, () => gotten),
      { verdict: 'timeout' },
      { status: 'timeout', limit: 'wall', afterMs: 1 },
    ),
    'implicit_state_mismanaged',
    /repeats one request/,
  ],
  ['no code', situation([], { verdict: 'no_code' }), 'instruction_not_followed', /no code/],
]
test.each(cases)('%s', (_, given, cause, because) => {
  const found = rootCause(given)
  expect(found?.cause).toBe(cause)
  expect(found?.because).toMatch(because)
})

test('no cause where there is no failure of the candidate', () => {
  expect(rootCause(situation([], { verdict: 'passed' }))).toBeNull()
  expect(rootCause(situation([], { verdict: 'infrastructure_error' }))).toBeNull()
})
