/** Bodies of very many small values are refused before they are parsed. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fastify } from 'fastify'
import { addJsonBodies, hasMoreParts, maxParts } from '../src/http/json-body.ts'
import { addProblemHandlers } from '../src/http/problems.ts'

const partsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 +
      Object.values(value).reduce((sum: number, one) => sum + partsOf(one), 0) +
      (Array.isArray(value) ? 0 : Object.keys(value).length)
    : 0

test('parts are counted exactly, whatever texts contain', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const [json, parts] = [Buffer.from(JSON.stringify(value)), partsOf(value)]
      expect(hasMoreParts(json, parts)).toBe(false)
      if (parts > 0) expect(hasMoreParts(json, parts - 1)).toBe(true)
    }),
    { examples: [['{[:'], [['\\', '"{', '\\"[:']], [{ '":': '\\\\' }]] },
  )
})

test('a text that does not end is counted as far as it goes', () => {
  expect(hasMoreParts(Buffer.from(String.raw`["\"{[:`), 1)).toBe(false)
  expect(hasMoreParts(Buffer.from('[{"a'), 1)).toBe(true)
})

test('too many parts are answered 413, soon; anything else is parsed as usual', async () => {
  const app = fastify({ bodyLimit: 64 * 2 ** 20 })
  addJsonBodies(app)
  addProblemHandlers(app)
  app.post('/', async ({ body }) => ({ body: JSON.stringify(body).length }))
  const post = async (payload: string) => {
    const { statusCode, body } = await app.inject({
      ...{
        method: 'POST',
        url: '/',
        payload,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      },
    })
    return [statusCode, body]
  }
  expect(await post(`[${'{},'.repeat(maxParts)}{}]`)).toEqual([
    413,
    expect.stringContaining(`more than ${maxParts} objects, lists and members`),
  ])
  expect(await post(`[${'0,'.repeat(2 * maxParts)}"ä{}"]`)).toEqual([200, `{"body":${4 * maxParts + 7}}`])
  for (const payload of ['', '{', '{"__proto__":1}'])
    expect(await post(payload)).toEqual([400, expect.stringContaining('malformed-body')])
  await app.close()
})
