/** Specifications as people publish them: what can be called is read, and the rest is named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import type { WritingOptions } from '@stateeval/program'
import { partial } from '@stateeval/testkit/partial'
import type { WapiiCase } from '../case.ts'
import { openApi } from '../creation/api.ts'
import { buildDocumentation } from '../prompt/documentation.ts'

const options = { id: 'a' } as WritingOptions
const server = 'https://a.example/v1'
const open = (paths: object, more: object = {}) =>
  openApi(JSON.stringify({ openapi: '3.1.0', servers: [{ url: server }], paths, ...more }), options)
const skippedOf = ({ targets }: ReturnType<typeof openApi>) =>
  targets.map(({ name, skipped, detail }) => [name, ...[skipped, detail].filter((one) => one !== undefined)])

const broken = 'the specification is broken there'
const fine = { '/fine': { get: {} } }
test.each<[string, object, unknown[]]>([
  ['an extension among the paths', { 'x-note': 'later' }, []],
  ['a path that is null', { '/a': null }, ['/a', broken, 'paths//a must be an object']],
  ['a path without a slash', { a: { get: {} } }, ['a', broken, 'paths/a must begin with /']],
  ['parameters that are null', { '/a': { get: { parameters: null } } }, ['GET /a']],
  ['a body that is null', { '/a': { post: { requestBody: null } } }, ['POST /a']],
  [
    'a body without content',
    { '/a': { post: { requestBody: {} } } },
    ['POST /a', broken, expect.stringContaining('requestBody/content must be an object')],
  ],
  [
    'a truth value as the required properties',
    {
      '/a': {
        post: { requestBody: { content: { 'application/json': { schema: { required: true } } } } },
      },
    },
    ['POST /a', broken, expect.stringContaining('schema/required must be a list')],
  ],
  [
    'an operation in another file',
    { '/a': { get: { $ref: 'operations/a.yml' } } },
    [
      'GET /a',
      broken,
      expect.stringMatching(/refers to operations\/a\.yml, which is not a part of the document/),
    ],
  ],
  [
    'an operation that stands elsewhere in the document',
    { '/a': { get: { $ref: '#/components/x-operations/a' } } },
    ['GET /a'],
  ],
  [
    'a parameter that is not there',
    { '/a': { get: { parameters: [{ $ref: '#/components/parameters/none' }] } } },
    ['GET /a', broken, expect.stringMatching(/which does not exist/)],
  ],
  [
    'a list in the path',
    {
      '/a/{ids}': { get: { parameters: [{ name: 'ids', in: 'path', schema: { type: 'array' } }] } },
    },
    ['GET /a/{ids}', 'its path has a list or an object'],
  ],
  [
    'a list in the path with a style',
    {
      '/a/{ids}': {
        get: { parameters: [{ name: 'ids', in: 'path', style: 'matrix', schema: { type: 'array' } }] },
      },
    },
    ['GET /a/{ids}'],
  ],
  [
    'a required cookie',
    { '/a': { get: { parameters: [{ name: 'c', in: 'cookie', required: true }] } } },
    ['GET /a'],
  ],
])('%s takes nothing else with it', (_, paths, expected) => {
  const components = { 'x-operations': { a: { parameters: [{ name: 'q', in: 'query' }] } } }
  const api = open({ ...paths, ...fine }, { components })
  expect(skippedOf(api)).toEqual([...(expected.length > 0 ? [expected] : []), ['GET /fine']])
})
test('an operation that is referred to has its arguments', () => {
  const components = { 'x-operations': { a: { parameters: [{ name: 'q', in: 'query' }] } } }
  const { targets, endpoints } = open(
    { '/a': { get: { $ref: '#/components/x-operations/a' } } },
    { components },
  )
  expect(targets[0]!.parameters).toEqual([{ name: 'q', in: 'query' }])
  expect(endpoints.specification.paths[0]!.operations['get']!.parameters).toEqual([
    { name: 'q', in: 'query' },
  ])
})

describe('forms', () => {
  const openText = (text: string) => openApi(text, options)
  test('Swagger 2.0 is converted', () => {
    const { targets, endpoints } = openText(
      JSON.stringify({
        swagger: '2.0',
        host: 'a.example',
        basePath: '/v1',
        schemes: ['https'],
        paths: {
          '/a': {
            post: {
              consumes: ['application/x-www-form-urlencoded'],
              parameters: [{ name: 'q', in: 'formData', type: 'string', required: true }],
            },
          },
        },
      }),
    )
    expect(endpoints.specification.server).toBe(server)
    expect(targets[0]!.body?.media).toHaveProperty([
      'application/x-www-form-urlencoded',
      'schema',
      'properties',
      'q',
    ])
  })
  test('a version without a patch, also as a number', () => {
    for (const version of ['3.1', '"3.1"'])
      expect(
        openText(`openapi: ${version}\nservers: [{ url: ${server} }]\npaths: { /a: { get: {} } }`).targets,
      ).toHaveLength(1)
  })
  test('merge keys', () => {
    const text = `openapi: 3.1.0
servers: [{ url: ${server} }]
x-shared: &shared { parameters: [{ name: q, in: query }] }
paths: { /a: { get: { <<: *shared, summary: Get it } } }`
    expect(openText(text).targets[0]!.parameters).toEqual([{ name: 'q', in: 'query' }])
  })
  test('a key that stands twice is told', () =>
    expect(() => openText('{"openapi": "3.1.0",\n"paths": {}, "paths": {}}')).toThrow(
      /has a key twice in one object: line 2/,
    ))
})

describe('servers', () => {
  const addressOf = (api: ReturnType<typeof openApi>, url: string, method = 'get') =>
    api.endpoints.sound(url, method)?.endpoint.template
  test('all of a document are legal, with any value of their variables', () => {
    const servers = [
      {
        url: 'https://{region}.a.example/{version}/',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, version: { default: 'v1' } },
      },
      { url: 'https://b.example' },
    ]
    const api = open({ '/a': { get: {} } }, { servers })
    expect(api.endpoints.specification.server).toBe('https://eu.a.example/v1')
    for (const url of ['https://us.a.example/v2/a', 'https://EU.a.example/v1/a', 'https://b.example/a'])
      expect(addressOf(api, url)).toBe('/a')
    for (const url of ['https://asia.a.example/v1/a', 'https://c.example/a', 'https://us.a.example/v2/x/a'])
      expect(addressOf(api, url)).toBeUndefined()
  })
  test('those of a path and of an operation are theirs alone', () => {
    const api = open({
      '/a': { servers: [{ url: '/v2' }], get: {}, post: { servers: [{ url: 'https://up.example' }] } },
      '/b': { get: {} },
    })
    expect(skippedOf(api)).toEqual([['GET /a'], ['POST /a'], ['GET /b']])
    expect(api.targets.map((target) => target.server)).toEqual([
      'https://a.example/v2',
      'https://up.example',
      undefined,
    ])
    const url = 'https://up.example/a'
    const c = partial<WapiiCase>({ id: 'c', task: { config: { url, method: 'post' } } })
    for (const mode of ['full', 'relevant'] as const)
      expect(buildDocumentation(c, () => api.endpoints, mode)).toBe(
        `# a\n\nServer: ${api.endpoints.specification.server}\n\n` +
          '## GET /a\nServer: https://a.example/v2\n\n## POST /a\nServer: https://up.example\n\n## GET /b',
      )
    expect(addressOf(api, 'https://a.example/v2/a')).toBe('/a')
    expect(addressOf(api, 'https://up.example/a', 'post')).toBe('/a')
    expect(addressOf(api, 'https://a.example/v1/b')).toBe('/b')
    expect(addressOf(api, 'https://a.example/v2/b')).toBeUndefined()
  })
})

test('of several paths that match, the one that says most and has the method is meant', () => {
  const api = open({
    '/a/{id}': { get: {}, delete: {} },
    '/a/recent': { get: {} },
    '/a/{name}': { post: {}, get: {} },
  })
  const meant = (method: string) => api.endpoints.sound(`${server}/a/recent`, method)?.endpoint.template
  expect([meant('get'), meant('delete'), meant('post')]).toEqual(['/a/recent', '/a/{id}', '/a/{name}'])
  expect(skippedOf(api)).toContainEqual(['GET /a/{name}', 'its path is also that of GET /a/{id}'])
})

describe('published specifications', () => {
  const folder = join(process.env['STATEEVAL_DATASETS'] ?? '', 'specs')
  const isHere = process.env['STATEEVAL_DATASETS'] !== undefined && existsSync(folder)
  if (!isHere) console.info('skipped: STATEEVAL_DATASETS names no folder with specs')
  const files = isHere ? readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name)) : []
  test.each(files.length > 0 ? files : ['none'])('%s opens, or is refused in a sentence', (name) => {
    if (!isHere) return
    const text = readFileSync(join(folder, name), 'utf8')
    const openAt = (more: object) => {
      try {
        return openApi(text, { ...options, ...more })
      } catch (error) {
        if (error instanceof ProblemError) return error
        throw error
      }
    }
    let api = openAt({})
    if (api instanceof ProblemError && api.field === '/server') api = openAt({ server })
    if (api instanceof ProblemError) {
      expect(api.message).toMatch(/paths are missing/)
      return
    }
    const usable = api.targets.filter(({ skipped }) => skipped === undefined)
    expect(usable.length + api.targets.filter(({ skipped }) => skipped !== undefined).length).toBe(
      api.targets.length,
    )
    // Those two are of many files, which are not here.
    if (!/^(digitalocean|lob-unbundled)/.test(name))
      expect(usable.length / api.targets.length).toBeGreaterThan(0.6)
  })
})
