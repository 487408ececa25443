import { expect, test } from '@jest/globals'
import { createLog, runInProject, redactSecrets, removeCredentials, removeSecrets } from '../src/index.ts'

test('secrets never get into a log line, however deep they are', () => {
  const lines: string[] = []
  const log = createLog('toy', { level: 'info', destination: { write: (line) => void lines.push(line) } })
  log.child({ apiKey: 'hunter2' }).info(
    {
      request: { headers: { Authorization: 'Bearer hunter2', accept: 'x' } },
      token: 'hunter2',
      list: [{ 'api-key': 'hunter2' }],
    },
    'sent',
  )
  expect(lines.join()).not.toContain('hunter2')
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    service: 'toy',
    msg: 'sent',
    level: 'info',
    request: { headers: { accept: 'x' } },
  })
})

test('words that merely hold such a name stay', () => {
  expect(redactSecrets({ monkey: 1, keyboard: 2, tokens: 3, key: 4 })).toEqual({
    monkey: 1,
    keyboard: 2,
    tokens: 3,
    key: '[redacted]',
  })
})

test.each([
  ['/v1/models', '/v1/models'],
  ['/v1/models?limit=1&cursor=a', '/v1/models?limit=1&cursor=a'],
  ['/v1/models?api_key=hunter2&limit=1', '/v1/models?api_key=[redacted]&limit=1'],
  ['/x?a=1?&accessToken=hunter2&key', '/x?a=1?&accessToken=[redacted]&key'],
])('%s is logged as %s', (url, expected) => {
  expect(removeSecrets(url)).toBe(expected)
})

test('addresses lose user and password', () => {
  expect(removeCredentials('connect mongodb://me:hunter2@db:1/x failed')).toBe(
    'connect mongodb://db:1/x failed',
  )
})

test('a line says for which project it was written, where there is one', () => {
  const lines: string[] = []
  const log = createLog('toy', { level: 'info', destination: { write: (line) => void lines.push(line) } })
  log.info('outside')
  runInProject('acme', () => log.child({ job: 'a/b@1' }).info('inside'))
  expect(lines.map((line) => JSON.parse(line) as { msg: string; project?: string })).toEqual([
    expect.not.objectContaining({ project: expect.anything() }),
    expect.objectContaining({ msg: 'inside', project: 'acme', job: 'a/b@1' }),
  ])
})
