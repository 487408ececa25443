/** Which keys may be named, and which hosts each may be sent to. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { findUrlFormFault, findKeyFault, canNameKey, readKey, readRules } from '../src/index.ts'

const url = new URL('https://api.example.com/v1')
const name = 'STATEEVAL_KEY_MINE'
const faultWith = (hosts: string | undefined, to: string) =>
  findKeyFault(name, new URL(to), { STATEEVAL_KEY_MINE_HOSTS: hosts })

test.each([
  ['STATEEVAL_KEY_X', true],
  ['MY_KEY', true],
  ['STATEEVAL_KEY_', false],
  ['STATEEVAL_KEY_NAMES', false],
  ['STATEEVAL_KEY_X_HOSTS', false],
  ['MY_KEY_HOSTS', false],
  ['MONGODB_URI', false],
])('%s may be named: %s', (variable, allowed) => {
  const env = {
    STATEEVAL_KEY_NAMES: 'MY_KEY, STATEEVAL_KEY_NAMES, MY_KEY_HOSTS',
    [`${variable}_HOSTS`]: 'api.example.com',
    [variable]: 'x',
  }
  expect(canNameKey(variable, env)).toBe(allowed)
  expect(readKey(variable, url, env).ok).toBe(allowed)
})

test.each<[string, string]>([
  ['api.example.com', 'https://api.example.com/v1'],
  ['api.example.com', 'https://API.EXAMPLE.com./v1'],
  ['api.example.com', 'https://api.example.com:443/any/path'],
  ['API.Example.COM.', 'https://api.example.com/v1'],
  ['api.example.com:443', 'https://api.example.com/v1'],
  ['https://api.example.com/', 'https://api.example.com/v1'],
  ['api.example.com:8443', 'https://api.example.com:8443/v1'],
  ['api.example.com:*', 'https://api.example.com:8443/v1'],
  ['*.example.com', 'https://api.example.com/v1'],
  ['*.example.com', 'https://a.b.example.com/v1'],
  ['other.example, api.example.com', 'https://api.example.com/v1'],
  ['http://gpu.internal:8000', 'http://gpu.internal:8000/v1'],
  ['http://gpu.internal', 'http://gpu.internal/v1'],
  ['127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
  ['127.0.0.1:8000', 'http://0x7f.1:8000/v1'],
  ['localhost:*', 'http://localhost:11434/v1'],
  ['[::1]:8000', 'http://[0:0:0:0:0:0:0:1]:8000/v1'],
  ['b\u00fccher.example', 'https://xn--bcher-kva.example/v1'],
  ['xn--bcher-kva.example', 'https://b\u00dcCHER.example/v1'],
])('%s lets the key go to %s', (hosts, to) => {
  expect(faultWith(hosts, to)).toBeNull()
})
test.each<[string | undefined, string]>([
  [undefined, 'https://api.example.com/v1'],
  ['', 'https://api.example.com/v1'],
  ['api.example.com', 'http://api.example.com/v1'],
  ['api.example.com', 'http://api.example.com:443/v1'],
  ['api.example.com', 'https://api.example.com:8443/v1'],
  ['api.example.com', 'https://api.example.com.evil.example/v1'],
  ['api.example.com', 'https://evilapi.example.com/v1'],
  ['api.example.com', 'https://xapi.example.com/v1'],
  ['api.example.com', 'https://example.com/v1'],
  ['api.example.com', 'https://api.example.com@evil.example/v1'],
  ['api.example.com', 'https://evil.example/api.example.com'],
  ['api.example.com', 'https://evil.example\\@api.example.com/'],
  ['api.example.com', 'https://\u0430pi.example.com/v1'],
  ['api.example.com', 'https://api.example.com../v1'],
  ['api.example.com:80', 'https://api.example.com/v1'],
  ['*.example.com', 'https://example.com/v1'],
  ['*.example.com', 'https://evilexample.com/v1'],
  ['http://gpu.internal:8000', 'https://gpu.internal:8000/v1'],
  ['http://gpu.internal:8000', 'http://gpu.internal:8001/v1'],
  ['gpu.internal:8000', 'http://gpu.internal:8000/v1'],
  ['127.0.0.1:8000', 'http://127.0.0.1:8001/v1'],
  ['127.0.0.1:8000', 'http://127.0.0.2:8000/v1'],
  ['localhost:8000', 'http://127.0.0.1:8000/v1'],
])('%s does not let it go to %s', (hosts, to) => {
  expect(faultWith(hosts, to)).toMatch(/^STATEEVAL_KEY_MINE may not be sent to .*STATEEVAL_KEY_MINE_HOSTS/)
})

test('port 0 is no place to send a key to', () => {
  expect(findUrlFormFault('http://models.example.com:0/v1')).toBe('names port 0, on which nothing listens')
})

test('what a refusal says to set is what lets the key through, for any URL', () => {
  const to = fc.webUrl({
    withQueryParameters: false,
    withFragments: false,
    validSchemes: ['http', 'https'],
    authoritySettings: { withPort: true, withIPv4: true, withIPv6: true },
  })
  fc.assert(
    fc.property(to, fc.constantFrom(undefined, 'other.example'), (text, before) => {
      fc.pre(findUrlFormFault(text) === null)
      const fault = faultWith(before, text)
      const entry =
        before === undefined
          ? /set STATEEVAL_KEY_MINE_HOSTS=(\S+) in/.exec(fault!)
          : /add (\S+) to STATEEVAL_KEY_MINE_HOSTS/.exec(fault!)
      expect(faultWith([before, entry![1]].filter(Boolean).join(','), text)).toBeNull()
      const other = new URL(text)
      other.port = other.port === '1' ? '2' : '1'
      expect(faultWith(entry![1], other.href)).not.toBeNull()
    }),
  )
})

test.each([
  '*',
  '*.com',
  '*.10.0.0.1',
  'https://',
  'user@api.example.com',
  'api.example.com/v1',
  'ftp://x',
  'a b',
  'x:0',
  'x:70000',
  'a*.example.com',
  '**.example.com',
])('%s is no entry: it opens nothing, and services do not start with it', (entry) => {
  expect(faultWith(entry, 'https://api.example.com/v1')).toContain('STATEEVAL_KEY_MINE_HOSTS')
  expect(() => readRules({ STATEEVAL_KEY_MINE_HOSTS: `api.example.com,${entry}` }, [])).toThrow(
    `STATEEVAL_KEY_MINE_HOSTS: ${JSON.stringify(entry)}`,
  )
})
test('every fault of an environment is named at once; variables of others are left alone', () => {
  const env = {
    STATEEVAL_KEY_A_HOSTS: '*',
    MINE_HOSTS: '*',
    STATEEVAL_KEY_NAMES: 'MINE',
    ALLOWED_HOSTS: '*',
    STATEEVAL_KEY_B_HOSTS: 'fine.example',
  }
  expect(() => readRules(env, ['nonsense!'])).toThrow(
    /^STATEEVAL_KEY_A_HOSTS: .*\nMINE_HOSTS: .*\nSTATEEVAL_MODEL_NETWORKS: nonsense!.*$/,
  )
})
