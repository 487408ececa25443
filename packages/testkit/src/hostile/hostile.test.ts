import { expect, test } from '@jest/globals'
import { scoringOperations } from '@stateeval/contracts'
import { openApiDocument } from '@stateeval/service-kit'
import { parseAnswers } from './answers.ts'
import type { OpenApiDocument } from './operations.ts'
import { hostileRequests } from './requests.ts'

const document = openApiDocument({
  name: 'scoring',
  description: 'for a test',
  operations: scoringOperations,
}) as unknown as OpenApiDocument
const requests = (seed: string) => [
  ...hostileRequests(document, {
    ...{ seed, count: 400, host: 'localhost' },
    scale: { bytes: 2000, count: 200, depth: 200 },
  }),
]

test('the same seed gives the same requests, of all operations alike', () => {
  expect(requests('a')).toEqual(requests('a'))
  expect(requests('b')).not.toEqual(requests('a'))
  const ids = requests('a').map(({ operation }) => operation.id)
  for (const id of Object.keys(scoringOperations))
    expect(ids.filter((one) => one === id)).toHaveLength(400 / Object.keys(scoringOperations).length)
})

test('an example is left as it was by what was made of it', () => {
  requests('a')
  expect(document.paths['/v1/scores']!['post']!.requestBody!.content['application/json']!.example).toEqual(
    scoringOperations.createScores.example,
  )
})

const head = 'HTTP/1.1 200 OK\r\n'
test.each([
  ['a length', `${head}content-length: 2\r\n\r\n{}`, ['{}']],
  ['chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, ['{}']],
  ['two in a row', `${head}content-length: 1\r\n\r\n1${head}content-length: 1\r\n\r\n2`, ['1', '2']],
  ['an interim one', `HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 1\r\n\r\n1`, ['1']],
  ['half a one', `${head}content-length: 3\r\n\r\n{}`, []],
])('answers with %s are read', (_, text, bodies) => {
  const answers = parseAnswers(Buffer.from(text), { isHead: false, isOver: false })
  expect(answers.map(({ body }) => body)).toEqual(bodies)
})
