/** What the sound policy says of a request as it is sent: names, styles, media types, credentials. */
import { createRequire } from 'node:module'
import { describe, expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import fc from 'fast-check'
import { readNamedValues, listPairs } from '../capture/named-values.ts'
import type { RequestConfiguration } from '../case.ts'
import { callText, styles } from '../emit/styles.ts'
import { apiOf, scoreFor, server } from './specified.ts'
import { summaries } from './summary.ts'

const axios = createRequire(import.meta.url)('axios') as {
  getUri(config: { url: string; params: object }): string
}

/** Names and values that no reader takes for something else. */
const name = fc.stringMatching(/^[a-z]{1,3}$/)
const text = fc.stringMatching(/^[a-zA-Z0-9 äß&=+%,|.]{1,8}$/)
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))

test('pairs are those that axios writes', () => {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(name, fc.constantFrom('a[b]', 'a[]')), tie('value'), { maxKeys: 3 }),
    ),
  }))
  const names = fc.oneof(name, fc.constantFrom('page[size]', 'a[b][c]', 'x.y'))
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 4 }), (params) => {
      const written = new URL(axios.getUri({ url: server, params })).searchParams
      expect(listPairs(params).map(([key, one]) => [key, String(one)])).toEqual([...written])
    }),
    { numRuns: 300 },
  )
})

/** Parameters and values of them, in every style that a query has. */
const parameter = fc
  .record({
    name: fc.oneof(name, fc.constantFrom('page[size]', 'filter[a][b]', 'ids[]', 'q[]')),
    style: fc.constantFrom(undefined, 'form', 'pipeDelimited', 'spaceDelimited', 'deepObject'),
    explode: fc.constantFrom(undefined, true, false),
    type: fc.constantFrom('string', 'integer', 'array', 'object'),
  })
  .chain((field) =>
    fc.record({
      field: fc.constant(field),
      value:
        field.type === 'array'
          ? fc.array(text, { minLength: 1, maxLength: 3 })
          : field.type === 'object'
            ? fc.dictionary(name, text, { minKeys: 1, maxKeys: 3 })
            : field.type === 'integer'
              ? fc.integer()
              : text,
    }),
  )
const schemaOf = (type: string) =>
  type === 'array'
    ? { type, items: { type: 'string' } }
    : { type, ...(type === 'object' && { properties: {} }) }

test('the expected request is correct, whatever its arguments are called and in whatever style', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(parameter, {
        minLength: 1,
        maxLength: 3,
        selector: ({ field }) => field.name.split('[')[0],
      }),
      fc.constantFrom(...styles),
      async (all, style) => {
        const parameters = all.map(({ field: { type, ...field } }) => ({
          ...field,
          in: 'query',
          schema: schemaOf(type),
        }))
        const params = Object.fromEntries(all.map(({ field, value }) => [field.name, value]))
        const config: RequestConfiguration = { url: `${server}/a`, method: 'get', params }
        const score = await scoreFor(apiOf({ '/a': { get: { parameters } } }), config, style.write(config))
        expect(score.policies?.['sound']?.differences).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})
test('the expected form is correct, whatever its fields are called', async () => {
  const media = fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data')
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(parameter, {
        minLength: 1,
        maxLength: 3,
        selector: ({ field }) => field.name.split('[')[0],
      }),
      media,
      async (all, type) => {
        const properties = Object.fromEntries(all.map(({ field }) => [field.name, schemaOf(field.type)]))
        const content = { [type]: { schema: { type: 'object', properties } } }
        const data = Object.fromEntries(all.map(({ field, value }) => [field.name, value]))
        const config: RequestConfiguration = {
          url: `${server}/a`,
          method: 'post',
          headers: { 'Content-Type': type },
          data,
        }
        const api = apiOf({ '/a': { post: { requestBody: { content } } } })
        const score = await scoreFor(api, config, callText(config))
        expect(score.policies?.['sound']?.differences).toEqual([])
      },
    ),
    { numRuns: 100 },
  )
})

test('names that are not documented make arguments as ever', () => {
  const fields = [{ name: 'page[size]' }]
  expect(
    readNamedValues(
      [
        ['a[b]', '1'],
        ['page[size]', '2'],
        ['page[x]', '3'],
      ],
      fields,
    ),
  ).toEqual({
    a: { b: '1' },
    'page[size]': '2',
    'page[x]': '3',
  })
})

/** What programs can read. */
const files = { 'whale.png': 'pixels of a whale', 'shark.png': 'pixels of a shark' }
type Row = [name: string, code: string, sound: string]
const list = { type: 'array', items: { type: 'string' } }
const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } }

/** A task of one operation: what is expected, then code and what is said of it. */
const table = (
  title: string,
  operation: object,
  expected: Partial<RequestConfiguration>,
  rows: readonly Row[],
  more = {},
) =>
  describe(title, () => {
    const method = expected.method ?? 'get'
    const path = expected.url ?? '/a'
    const template = 'template' in more ? String(more.template) : path
    const api = apiOf({ [template]: { [method]: operation } }, more)
    const config = { ...expected, url: `${server}${path}`, method }
    test('the expected request', async () =>
      expect(summaries(await scoreFor(api, config, callText(config)))).toEqual({
        published: expect.any(String),
        sound: 'correct',
      }))
    test.each(rows)('%s', async (_, code, sound) =>
      expect(summaries(await scoreFor(api, config, code.replaceAll('$', server), files))['sound']).toBe(
        sound,
      ),
    )
  })
const query = (name: string, schema: object, more: object = {}) => ({
  parameters: [{ name, in: 'query', schema, ...more }],
})
const sent = (text: string): string => `axios.get('$/a?${text}')`
const wrong = 'wrong incorrect/params'

table('a list that is exploded', query('ids', list), { params: { ids: ['1', '2'] } }, [
  ['repeated', sent('ids=1&ids=2'), 'correct'],
  ['as axios writes lists', sent('ids[]=1&ids[]=2'), 'correct'],
  ['with commas', sent('ids=1,2'), wrong],
  ['another order', sent('ids=2&ids=1'), wrong],
])
table('a list that is not', query('ids', list, { explode: false }), { params: { ids: ['1', '2'] } }, [
  ['with commas', sent('ids=1,2'), 'correct'],
  ['with commas, encoded', sent('ids=1%2C2'), 'correct'],
  ['repeated', sent('ids=1&ids=2'), wrong],
  ['with bars', sent('ids=1|2'), wrong],
])
const piped = query('ids', list, { style: 'pipeDelimited', explode: false })
table('pipeDelimited', piped, { params: { ids: ['1', '2'] } }, [
  ['with bars', sent('ids=1|2'), 'correct'],
  ['in params', `axios.get('$/a', { params: { ids: ['1', '2'].join('|') } })`, 'correct'],
  ['with commas', sent('ids=1,2'), wrong],
])
const spaced = query('ids', list, { style: 'spaceDelimited' })
table('spaceDelimited', spaced, { params: { ids: ['1', '2'] } }, [
  ['with %20', sent('ids=1%202'), 'correct'],
  ['with +', sent('ids=1+2'), 'correct'],
  ['with bars', sent('ids=1|2'), wrong],
])
table('deepObject', query('at', point, { style: 'deepObject' }), { params: { at: { x: 1, y: 2 } } }, [
  ['with brackets', sent('at[x]=1&at[y]=2'), 'correct'],
  ['as members', sent('x=1&y=2'), 'illegal missing/params illegal/params:2'],
  ['as JSON', `axios.get('$/a', { params: { at: '{"x":1,"y":2}' } })`, wrong],
])
table('an object that is exploded', query('at', point), { params: { at: { x: 1, y: 2 } } }, [
  ['as members', sent('x=1&y=2'), 'correct'],
  ['one value is another', sent('x=1&y=3'), wrong],
  ['one more', sent('x=1&y=2&z=3'), 'illegal illegal/params'],
])
const anyMembers = { type: 'object', additionalProperties: { type: 'integer' } }
table('an exploded object of any members', query('at', anyMembers), { params: { at: { x: 1 } } }, [
  ['a member', sent('x=1'), 'correct'],
  ['another member', sent('x=1&z=2'), wrong],
])
table('an object that is not', query('at', point, { explode: false }), { params: { at: { x: 1, y: 2 } } }, [
  ['with commas', sent('at=x,1,y,2'), 'correct'],
  ['in another order', sent('at=y,2,x,1'), 'correct'],
  ['as members', sent('x=1&y=2'), 'illegal missing/params illegal/params:2'],
])
const asJson = {
  parameters: [{ name: 'at', in: 'query', content: { 'application/json': { schema: point } } }],
}
table('a parameter whose content is JSON', asJson, { params: { at: { x: 1, y: 2 } } }, [
  ['as JSON', `axios.get('$/a', { params: { at: JSON.stringify({ y: 2, x: 1 }) } })`, 'correct'],
  ['as members', sent('x=1&y=2'), 'illegal missing/params illegal/params:2'],
])
table('names with brackets', query('page[size]', { type: 'integer' }), { params: { 'page[size]': 5 } }, [
  ['literal', sent('page[size]=5'), 'correct'],
  ['encoded', sent('page%5Bsize%5D=5'), 'correct'],
  ['nested', `axios.get('$/a', { params: { page: { size: 5 } } })`, 'correct'],
  ['another one', sent('page[size]=5&page[number]=2'), 'illegal illegal/params'],
  ['without brackets', sent('page=5'), 'illegal missing/params illegal/params'],
])
table('a name that ends with brackets', query('ids[]', list), { params: { 'ids[]': ['1', '2'] } }, [
  ['literal', sent('ids[]=1&ids[]=2'), 'correct'],
  ['as axios writes it', `axios.get('$/a', { params: { ids: ['1', '2'] } })`, 'correct'],
  ['without brackets', sent('ids=1&ids=2'), 'illegal missing/params illegal/params'],
])
test('null is not sent, and not expected', async () => {
  const api = apiOf({ '/a': { get: query('q', { type: 'string' }) } })
  const config: RequestConfiguration = { url: `${server}/a`, method: 'get', params: { q: null } }
  expect(summaries(await scoreFor(api, config, callText(config)))['sound']).toBe('correct')
})

const header = (name: string, schema: object, more: object = {}) => ({
  parameters: [{ name, in: 'header', schema, ...more }],
})
const withHeaders = (text: string) => `axios.get('$/a', { headers: { ${text} } })`
const wrongHeader = 'wrong incorrect/headers'
table('a list in a header', header('X-Ids', list), { headers: { 'X-Ids': '1,2' } }, [
  ['with a blank', withHeaders(`'x-ids': '1, 2'`), 'correct'],
  ['a list, which axios joins', withHeaders(`'X-Ids': ['1', '2']`), 'correct'],
  ['with a bar', withHeaders(`'X-Ids': '1|2'`), wrongHeader],
])
table('an object in a header', header('X-At', point, { explode: true }), { headers: { 'X-At': 'x=1,y=2' } }, [
  ['in another order', withHeaders(`'X-At': 'y=2,x=1'`), 'correct'],
  ['not exploded', withHeaders(`'X-At': 'x,1,y,2'`), wrongHeader],
])

const path = (style: string | undefined, explode: boolean | undefined, schema: object = list) => ({
  parameters: [{ name: 'ids', in: 'path', required: true, schema, style, explode }],
})
const template = { template: '/a/{ids}' }
const got = (text: string) => `axios.get('$/a/${text}')`
const wrongPath = 'wrong incorrect/path_params'
table(
  'a list in the path',
  path(undefined, undefined),
  { url: '/a/1,2' },
  [
    ['with encoded commas', got('1%2C2'), 'correct'],
    ['another order', got('2,1'), wrongPath],
  ],
  template,
)
table(
  'label',
  path('label', true),
  { url: '/a/.1.2' },
  [['without the dot', got('1.2'), wrongPath]],
  template,
)
table(
  'matrix',
  path('matrix', undefined),
  { url: '/a/;ids=1,2' },
  [
    ['encoded', got('%3Bids%3D1%2C2'), 'correct'],
    ['exploded', got(';ids=1;ids=2'), wrongPath],
  ],
  template,
)
table(
  'matrix of an object',
  path('matrix', true, point),
  { url: '/a/;x=1;y=2' },
  [['in another order', got(';y=2;x=1'), 'correct']],
  template,
)

const cookies = { parameters: [{ name: 'session', in: 'cookie', schema: { type: 'string' } }] }
const keyInCookie = {
  components: { securitySchemes: { key: { type: 'apiKey', in: 'cookie', name: 'SID' } } },
}
table(
  'cookies',
  cookies,
  { headers: { Cookie: 'session=s1; SID=<key>' } },
  [
    ['in another order', withHeaders(`cookie: 'SID=<key>;session=s1'`), 'correct'],
    ['another value', withHeaders(`Cookie: 'session=s2; SID=<key>'`), wrongHeader],
    ['one is missing', withHeaders(`Cookie: 'session=s1'`), 'wrong missing/headers'],
    [
      'one that is not documented',
      withHeaders(`Cookie: 'session=s1; SID=<key>; x=1'`),
      'illegal illegal/headers',
    ],
    [
      'in another case',
      withHeaders(`Cookie: 'Session=s1; SID=<key>'`),
      'illegal missing/headers illegal/headers',
    ],
    ['as headers', withHeaders(`session: 's1', SID: '<key>'`), 'illegal missing/headers:2 illegal/headers:2'],
  ],
  keyInCookie,
)

const basicScheme = { components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } } }
table(
  'basic',
  {},
  { headers: { Authorization: 'Basic <key>' } },
  [
    ['by auth', `axios.get('$/a', { auth: { username: 'u', password: 'p' } })`, 'correct'],
    ['in the URL', `axios.get('$/a'.replace('://', '://u:p@'))`, 'correct'],
    ['a bearer', withHeaders(`Authorization: 'Bearer <key>'`), wrongHeader],
  ],
  basicScheme,
)
const known = Buffer.from('ahab:white').toString('base64')
table(
  'basic of known credentials',
  {},
  { headers: { Authorization: `Basic ${known}` } },
  [
    ['by auth', `axios.get('$/a', { auth: { username: 'ahab', password: 'white' } })`, 'correct'],
    ['others by auth', `axios.get('$/a', { auth: { username: 'ahab', password: 'black' } })`, wrongHeader],
    ['in the URL, encoded', `axios.get('$/a'.replace('://', '://%61hab:white@'))`, 'correct'],
  ],
  basicScheme,
)
const oidc = {
  components: { securitySchemes: { id: { type: 'openIdConnect', openIdConnectUrl: 'https://a.b/c' } } },
}
table(
  'openIdConnect',
  {},
  {},
  [['a token that is not asked for', withHeaders(`Authorization: 'Bearer t'`), 'wrong unnecessary/headers']],
  oidc,
)

const body = (content: Record<string, object>) => ({
  requestBody: {
    content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
  },
})
const named = { type: 'object', properties: { name: { type: 'string' }, tags: list } }
const posted = (data: string, type?: string) =>
  `axios.post('$/a', ${data}${type ? `, { headers: { 'Content-Type': '${type}' } }` : ''})`
const moby = { name: 'Moby', tags: ['sea', 'story'] }
const asForm = 'application/x-www-form-urlencoded'
const data = (type: string): Partial<RequestConfiguration> => ({
  method: 'post',
  headers: { 'Content-Type': type },
  data: moby,
})
const code = `{ name: 'Moby', tags: ['sea', 'story'] }`
const inForm = `new URLSearchParams([['name', 'Moby'], ['tags', 'sea'], ['tags', 'story']])`
table('a JSON body', body({ 'application/json': named }), data('application/json'), [
  ['as a form', posted(inForm), 'illegal illegal/data'],
  ['as a multipart form', posted(code, 'multipart/form-data'), 'illegal illegal/data'],
  ['JSON of another kind', posted(code, 'application/vnd.api+json'), 'correct'],
  ['a text of JSON that says what it is', posted(`JSON.stringify(${code})`, 'application/json'), 'correct'],
  ['a text of JSON that axios sends as a form', posted(`JSON.stringify(${code})`), 'illegal illegal/data'],
])
table('a form', body({ [asForm]: named }), data(asForm), [
  ['URLSearchParams', posted(inForm), 'correct'],
  ['JSON', posted(code), 'illegal illegal/data'],
  ['an object that axios writes as a form', posted(code, asForm), 'correct'],
])
table('several media types', body({ 'application/json': named, [asForm]: named }), data('application/json'), [
  ['as a form', posted(inForm), 'correct'],
  ['as a multipart form', posted(code, 'multipart/form-data'), 'illegal illegal/data'],
])
const other = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } }
table(
  'properties of the second media type',
  body({ 'application/json': named, [asForm]: other }),
  { method: 'post', headers: { 'Content-Type': asForm }, data: { name: 'Moby' } },
  [
    ['one of that type', posted(`'name=Moby&size=3'`), 'wrong unnecessary/data'],
    ['one of the other', posted(`'name=Moby&tags=x'`), 'illegal illegal/data'],
  ],
)
test('another kind of body is named before what differs in it', async () => {
  const api = apiOf({ '/a': { post: { requestBody: { content: { [asForm]: { schema: other } } } } } })
  const data = { name: 'Moby', size: '3' }
  const config = { url: `${server}/a`, method: 'post', headers: { 'Content-Type': asForm }, params: {}, data }
  const { policies } = await scoreFor(api, config, `axios.post('${server}/a', { name: 'Moby', size: 3 });`)
  expect(policies?.['sound']?.differences.map(({ says }) => says)).toEqual([
    expect.stringContaining(`POST /a takes a body of ${asForm}`),
    expect.stringContaining('size is 3'),
  ])
})
const encoded = {
  requestBody: {
    content: {
      [asForm]: {
        schema: { type: 'object', properties: { tags: list, at: point } },
        encoding: { tags: { explode: false }, at: { contentType: 'application/json' } },
      },
    },
  },
}
const both = { tags: ['a', 'b'], at: { x: 1, y: 2 } }
table('encodings', encoded, { method: 'post', headers: { 'Content-Type': asForm }, data: both }, [
  ['as they are said', posted(`new URLSearchParams({ tags: 'a,b', at: '{"y":2,"x":1}' })`), 'correct'],
  ['a list repeated', posted(`'tags=a&tags=b&at={"x":1,"y":2}'`), 'wrong incorrect/data'],
])
const literal = { type: 'object', properties: { 'a[b]': { type: 'string' } } }
table(
  'a field with brackets',
  body({ [asForm]: literal }),
  { method: 'post', headers: { 'Content-Type': asForm }, data: { 'a[b]': '1' } },
  [
    ['in a text', posted(`'a[b]=1'`), 'correct'],
    ['nested', posted('{ a: { b: 1 } }', asForm), 'correct'],
    ['another', posted(`'a[b]=1&a[c]=2'`), 'illegal illegal/data'],
  ],
)

const referring = {
  components: { schemas: { Base: { type: 'object', properties: { name: { type: 'string' } } } } },
}
const beside = { $ref: '#/components/schemas/Base', properties: { more: { type: 'string' } } }
const posts = {
  method: 'post',
  headers: { 'Content-Type': 'application/json' },
  data: { name: 'a' },
} as const
table(
  'beside a reference',
  body({ 'application/json': beside }),
  posts,
  [
    ['a property', posted(`{ name: 'a', more: 'b' }`), 'wrong unnecessary/data'],
    ['another', posted(`{ name: 'a', none: 'b' }`), 'illegal illegal/data'],
  ],
  referring,
)
table(
  'beside a reference in 3.0',
  body({ 'application/json': beside }),
  posts,
  [['a property', posted(`{ name: 'a', more: 'b' }`), 'illegal illegal/data']],
  { ...referring, openapi: '3.0.3' },
)
const patterned = {
  ...other,
  patternProperties: { '^x-[a-z]+$': {}, '(?=a)b': {} },
  additionalProperties: false,
}
table(
  'properties by pattern',
  body({ 'application/json': patterned }),
  posts,
  [['one that matches', posted(`{ name: 'a', 'x-b': 1 }`), 'wrong unnecessary/data']],
  {},
)

const photo = {
  type: 'object',
  properties: { photo: { type: 'string', format: 'binary' }, title: { type: 'string' } },
}
const multipart = 'multipart/form-data'
const upload = { photo: 'pixels of a whale', title: 'Moby' }
const native = (part: string, title = `'Moby'`) =>
  `const form = new FormData(); form.append('photo', ${part}); form.append('title', ${title}); await axios.post('$/a', form)`
const packaged = (part: string) =>
  `const FormData = require('form-data'); const form = new FormData(); form.append('photo', ${part}); form.append('title', 'Moby'); await axios.post('$/a', form, { headers: form.getHeaders() })`
const wrongFile = 'wrong incorrect/data'
table(
  'an upload',
  body({ [multipart]: photo }),
  { method: 'post', headers: { 'Content-Type': multipart }, data: upload },
  [
    ['a Blob', native(`new Blob(['pixels of a whale']), 'whale.png'`), 'correct'],
    ['a File', native(`new File(['pixels of ', 'a whale'], 'whale.png', { type: 'image/png' })`), 'correct'],
    ['a Blob of other bytes', native(`new Blob(['pixels of a shark'])`), wrongFile],
    [
      'a text where the title has a file',
      native(`new Blob(['pixels of a whale'])`, `new Blob(['Moby']), 'm.txt'`),
      wrongFile,
    ],
    ['form-data with a Buffer', packaged(`Buffer.from('pixels of a whale'), 'whale.png'`), 'correct'],
    ['form-data with a stream', packaged(`require('fs').createReadStream('whale.png')`), 'correct'],
    ['form-data with another stream', packaged(`require('fs').createReadStream('shark.png')`), wrongFile],
    [
      'a file that is read',
      native(`new Blob([require('fs').readFileSync('./whale.png')]), 'whale.png'`),
      'correct',
    ],
    ['a file that is opened', native(`await require('fs').openAsBlob('whale.png'), 'whale.png'`), 'correct'],
    [
      'postForm of a stream',
      `await axios.postForm('$/a', { photo: require('fs').createReadStream('whale.png'), title: 'Moby' })`,
      'correct',
    ],
    ['the name of the file', native(`'whale.png'`), wrongFile],
  ],
)
const nested = { a: { b: ['c', 'd'] } }
table(
  'qs',
  body({ [asForm]: { type: 'object', properties: { a: { type: 'object' } } } }),
  { method: 'post', headers: { 'Content-Type': asForm }, data: nested },
  [
    [
      'in a body',
      `const qs = require('qs'); await axios.post('$/a', qs.stringify({ a: { b: ['c', 'd'] } }))`,
      'correct',
    ],
  ],
)
