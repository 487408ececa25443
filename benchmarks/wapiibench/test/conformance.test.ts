/** Requests of any code against a specification: what is wrong, in words. */
import { describe, expect, test } from '@jest/globals'
import type { Observation } from '@stateeval/contracts'
import { conformance } from '../conformance.ts'
import { runHere } from './run-here.ts'
import { server } from './specified.ts'

const point = {
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
}
const specification = JSON.stringify({
  openapi: '3.1.0',
  servers: [{ url: server }],
  security: [{ token: [] }, { key: [] }],
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
  paths: {
    '/books': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } },
          {
            name: 'tags',
            in: 'query',
            required: true,
            schema: { type: 'array', items: { enum: ['a', 'b'] } },
          },
          { name: 'session', in: 'cookie', schema: { type: 'string', minLength: 2 } },
        ],
      },
      post: {
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { type: 'array', items: point } },
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: { file: { type: 'string', format: 'binary' } },
              },
            },
          },
        },
      },
    },
    '/books/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      delete: { security: [] },
    },
  },
})
const check = (observation: Observation) => conformance(specification, {}, [observation])[0]!.requests
const said = async (code: string) => check(await runHere(code.replaceAll('$', server), {}, true))

const token = `headers: { Authorization: 'Bearer t' }`
describe.each<[client: string, rows: [name: string, code: string, request: string, faults: string[]][]]>([
  [
    'axios',
    [
      ['a right one', `axios.get('$/books?tags=a&tags=b&limit=3', { ${token} })`, 'GET /books', []],
      ['one by a key', `axios.get('$/books', { params: { tags: ['a'], api_key: 'k' } })`, 'GET /books', []],
      [
        'wrong values',
        `axios.get('$/books', { params: { limit: 51, tags: ['a', 'c'] }, headers: { Authorization: 't', Cookie: 'session=1' } })`,
        'GET /books',
        [
          'the query parameter limit must be at most 50',
          'the query parameter tags[1] must be one of "a", "b", not "c"',
          'the cookie session must have at least 2 characters',
        ],
      ],
      [
        'unknown and missing ones',
        `axios.get('$/books', { params: { page: 1 }, headers: { 'X-Page': 1 } })`,
        'GET /books',
        [
          'the query parameter page is unknown',
          'the query parameter tags is missing',
          'the header X-Page is unknown',
          'authentication is missing: Authorization (header), or api_key (query)',
        ],
      ],
      ['a list as the body', `axios.post('$/books', [{ x: 1 }, { x: 2, y: 3 }])`, 'POST /books', []],
      [
        'wrong bodies',
        `axios.post('$/books', [{ y: '1' }])`,
        'POST /books',
        ['body[0].x is missing, which the specification requires', 'body[0].y must be an integer, not "1"'],
      ],
      ['no body', `axios.post('$/books')`, 'POST /books', ['the body is missing']],
      [
        'another media type',
        `axios.post('$/books', 'x=1')`,
        'POST /books',
        ['the body is a form; POST /books takes application/json or multipart/form-data'],
      ],
      [
        'a path',
        `axios.delete('$/books/seven')`,
        'DELETE /books/{id}',
        ['the path parameter id must be an integer, not "seven"'],
      ],
      [
        'a body that is not taken',
        `axios.delete('$/books/7', { data: { a: 1 } })`,
        'DELETE /books/{id}',
        ['DELETE /books/{id} takes no body'],
      ],
      ['another method', `axios.put('$/books/7')`, 'PUT /books/{id}', ['/books/{id} has no method PUT']],
      [
        'another endpoint',
        `axios.get('$/b')`,
        `GET ${server}/b`,
        [`${server}/b is not an endpoint of the specification`],
      ],
    ],
  ],
  [
    'fetch',
    [
      ['a right one', `fetch('$/books?tags=a', { ${token} })`, 'GET /books', []],
      [
        'JSON without its type',
        `fetch('$/books', { method: 'POST', body: JSON.stringify([{ x: 1 }]) })`,
        'POST /books',
        ['the body is text; POST /books takes application/json or multipart/form-data'],
      ],
      [
        'JSON',
        `fetch('$/books', { method: 'POST', body: JSON.stringify([{ x: 1 }]), headers: { 'content-type': 'application/json' } })`,
        'POST /books',
        [],
      ],
      [
        'a file',
        `const f = new FormData(); f.append('file', new Blob(['a']), 'a.txt'); await fetch('$/books', { method: 'POST', body: f })`,
        'POST /books',
        [],
      ],
      [
        'a Request',
        `fetch(new Request('$/books/x', { method: 'DELETE' }))`,
        'DELETE /books/{id}',
        ['the path parameter id must be an integer, not "x"'],
      ],
    ],
  ],
])('%s', (_, rows) => {
  test.each(rows)('%s', async (_, code, name, faults) => {
    const source = `const axios = require('axios');\n${code.startsWith('const') ? code : `await ${code}`}`
    expect(await said(source)).toEqual([{ name, faults }])
  })
})

test('the requests of a program are checked in their order', async () => {
  const code = `const axios = require('axios'); await fetch('$/b'); await axios.delete('$/books/1')`
  expect((await said(code)).map(({ name }) => name)).toEqual([`GET ${server}/b`, 'DELETE /books/{id}'])
})
