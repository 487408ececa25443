/** Secrets of a service's environment are taken out of any text. */
import { expect, test } from '@jest/globals'
import { baseSettings, createLog } from '../src/index.ts'
import { createMask } from '../src/secrets.ts'

const key = `stateeval_0mkf4j2q10a7c1f2_${'A'.repeat(43)}`
const mask = createMask(baseSettings, {
  MONGODB_URI: 'mongodb://me:p%40ss-word-1@db.example.com:1/?tls=true',
  NATS_URL: 'nats://a:1, nats://me:nats-secret@b:2',
  NATS_PASSWORD: 'quote"backslash\\1',
  STATEEVAL_ADMIN_KEY: 'k'.repeat(40),
  STATEEVAL_KEY_MINE: 'sk-mine-12345',
  STATEEVAL_KEY_MINE_HOSTS: 'api.example.com',
  STATEEVAL_KEY_NAMES: 'OTHER_TOKEN, SHORT',
  OTHER_TOKEN: 'other-token-9',
  SHORT: 'abc',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:collector-pass@c:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20aGVsbG8=,x-team=blue-team',
  LOG_LEVEL: 'trace',
})

test.each([
  ['encoded: p%40ss-word-1', 'encoded: [redacted]'],
  ['decoded: p@ss-word-1!', 'decoded: [redacted]!'],
  ['nats-secret, collector-pass', '[redacted], [redacted]'],
  [JSON.stringify({ text: 'quote"backslash\\1' }), '{"text":"[redacted]"}'],
  [`Bearer ${'k'.repeat(40)}`, 'Bearer [redacted]'],
  ['sk-mine-12345 other-token-9', '[redacted] [redacted]'],
  ['header Basic aGVsbG8=', 'header [redacted]'],
  [`GET /v1/keys/${key}`, 'GET /v1/keys/stateeval_0mkf4j2q10a7c1f2_[redacted]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0x.c2lnbmF0dXJl', '[redacted]'],
  // What is no secret stays, and what is too short to be told from words.
  ['trace api.example.com abc me', 'trace api.example.com abc me'],
])('%s', (text, expected) => {
  expect(mask(text)).toBe(expected)
})

test('a password may have commas', () => {
  const other = createMask(baseSettings, {
    MONGODB_URI: 'mongodb://me:one,two,three@db.example.com/?tls=true',
  })
  expect(other('one,two,three at db.example.com')).toBe('[redacted] at db.example.com')
})

test('a line of the log hides what an error of a library says', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = createLog('toy', { level: 'info', destination, mask })
  const error = Object.assign(new TypeError('Invalid URL'), {
    input: 'mongodb://me:p%40ss-word-1@db.example.com/',
  })
  log.error({ err: error }, 'failed')
  log.child({ job: 'sk-mine-12345' }).info('sk-mine-12345')
  expect(lines.join('')).not.toMatch(/p%40ss|sk-mine/)
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['failed', '[redacted]'])
})
