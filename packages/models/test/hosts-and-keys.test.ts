/** Which hosts and keys may be named. */
import { expect, test } from '@jest/globals'
import { checkHost, faultOfBaseUrl, mayNameKey, readKey } from '../src/index.ts'

test.each([
  ['STATEEVAL_KEY_X', true],
  ['MY_KEY', true],
  ['STATEEVAL_KEY_', false],
  ['STATEEVAL_KEY_NAMES', false],
  ['MONGODB_URI', false],
])('%s may be named: %s', (name, allowed) => {
  expect(mayNameKey(name, { STATEEVAL_KEY_NAMES: 'MY_KEY, STATEEVAL_KEY_NAMES' })).toBe(allowed)
  if (!allowed) expect(readKey(name, { [name]: 'x' }).ok).toBe(false)
})

test.each([
  'http://169.254.169.254/v1',
  'http://[fe80::1]/v1',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://metadata.google.internal/',
  'http://metadata.google.internal./v1',
  'http://[fd00:ec2::254]/',
  'ftp://x/',
  'http://user:pw@x/',
  'http://x/?key=1',
  'nonsense',
])('%s is refused as a base URL', (url) => {
  expect(faultOfBaseUrl(url)).not.toBeNull()
})
test.each(['http://127.0.0.1:8000/v1', 'https://api.openai.com/v1', 'http://[::1]:8000', 'http://models.internal/v1'])(
  '%s is taken',
  (url) => {
    expect(faultOfBaseUrl(url)).toBeNull()
  },
)

test('a name that resolves to a metadata address is refused at call time', async () => {
  const to = (address: string) => async () => [
    { address: '10.0.0.1', family: 4 },
    { address, family: 4 },
  ]
  expect(await checkHost('http://evil.example/v1', to('169.254.169.254'))).toMatchObject({
    ok: false,
    reason: expect.stringContaining('169.254.169.254'),
  })
  expect(await checkHost('http://fine.example/v1', to('10.0.0.2'))).toEqual({ ok: true })
})
