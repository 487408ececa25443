/** Where a model may be: every way of writing an address, and what each entry of the setting opens. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { findBaseUrlFault, createNetworks } from '../src/index.ts'
import { parseAddress, classifyAddress } from '../src/addresses.ts'

const nowhere = createNetworks([])
const everywhere = createNetworks([
  'loopback',
  'private',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '::/0',
  '*.internal',
  '*.example.com',
])

test.each([
  ['8.8.8.8', 'public'],
  ['100.63.255.255', 'public'],
  ['100.128.0.1', 'public'],
  ['172.15.255.255', 'public'],
  ['2606:4700::1', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['64:ff9b::808:808', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:0.0.0.0', 'loopback'],
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fc00::1', 'private'],
  ['fdff::1%eth0', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['169.254.169.254', 'metadata'],
  ['169.254.0.1', 'metadata'],
  ['fe80::1%2', 'metadata'],
  ['febf::1', 'metadata'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd00:ec2:0:0::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['0.1.2.3', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['224.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['::7f00:1', 'reserved'],
  ['::ffff:0:127.0.0.1', 'reserved'],
  ['64:ff9b:1::7f00:1', 'reserved'],
  ['2002:7f00:1::', 'reserved'],
  ['2002:a9fe:a9fe::1', 'reserved'],
  ['2001:0:7f00:1::', 'reserved'],
  ['fec0::1', 'reserved'],
  ['ff02::1', 'reserved'],
  ['4000::1', 'reserved'],
])('%s is %s', (text, kind) => {
  expect(classifyAddress(parseAddress(text))).toBe(kind)
})

/** As URLs may write an IPv4 address; the URL parser understands all of them. */
const spellings = ([a, b, c, d]: number[]) => {
  const [w, x, y, z] = [a, b, c, d] as [number, number, number, number]
  const whole = w * 2 ** 24 + x * 2 ** 16 + y * 2 ** 8 + z
  const hex = (n: number) => `0x${n.toString(16)}`
  const octal = (n: number) => `0${n.toString(8)}`
  const wide = (text: string) =>
    text.replace(/[0-9.]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0))
  return [
    `${w}.${x}.${y}.${z}`,
    `${w}.${x}.${y}.${z}.`,
    `${whole}`,
    hex(whole),
    hex(whole).toUpperCase().replace('X', 'x'),
    octal(whole),
    `${w}.${whole % 2 ** 24}`,
    `${hex(w)}.${octal(x)}.${y * 256 + z}`,
    [w, x, y, z].map(octal).join('.'),
    [w, x, y, z].map(hex).join('.'),
    wide(`${w}.${x}.${y}.${z}`),
    `${w}。${x}。${y}。${z}`,
    encodeURIComponent(`${w}.${x}`).replace('.', '%2E') + `.${y}.${z}`,
    `[::ffff:${w}.${x}.${y}.${z}]`,
    `[::ffff:${((w << 8) | x).toString(16)}:${((y << 8) | z).toString(16)}]`,
    `[0:0:0:0:0:FFFF:${w}.${x}.${y}.${z}]`,
    `[64:ff9b::${w}.${x}.${y}.${z}]`,
  ]
}
const allOf = (first: number[], rest: fc.Arbitrary<number>) =>
  fc.tuple(...first.map((n) => fc.constant(n)), ...Array.from({ length: 4 - first.length }, () => rest))
const byte = fc.nat(255)
const inside = fc.oneof(
  allOf([127], byte),
  allOf([10], byte),
  allOf([192, 168], byte),
  allOf([169, 254], byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
)

test('no spelling of an inner address is taken, with or without port, path and scheme', () => {
  fc.assert(
    fc.property(
      inside,
      fc.constantFrom('http', 'https', 'HTTP'),
      fc.constantFrom('', ':80', ':8000'),
      fc.nat(16),
      (address, scheme, port, at) => {
        const url = `${scheme}://${spellings(address)[at]}${port}/v1`
        expect([url, findBaseUrlFault(url, nowhere)]).toEqual([
          url,
          expect.stringContaining('is not allowed'),
        ])
      },
    ),
    { numRuns: 2000 },
  )
})
test('every spelling of a public address is taken', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.constantFrom(1, 8, 52, 93, 203), fc.integer({ min: 114, max: 255 }), byte, byte),
      fc.nat(16),
      (address, at) => {
        expect(findBaseUrlFault(`https://${spellings(address)[at]}/v1`, nowhere)).toBeNull()
      },
    ),
    { numRuns: 1000 },
  )
})

test.each([
  'http://localhost:8000/v1',
  'http://LOCALHOST./v1',
  'http://a.localhost/v1',
  'http://[::1]/v1',
  'http://[::]/v1',
  'http://0/v1',
  'http://127.1/v1',
  'http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/v1',
])('%s is this machine, which only loopback opens', (url) => {
  expect(findBaseUrlFault(url, nowhere)).toContain('set STATEEVAL_MODEL_NETWORKS=loopback in')
  expect(findBaseUrlFault(url, createNetworks(['private', '10.0.0.0/8']))).not.toBeNull()
  expect(findBaseUrlFault(url, createNetworks(['loopback']))).toBeNull()
})

test.each([
  'http://169.254.169.254/v1',
  'http://[fe80::1]/v1',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://metadata.google.internal/',
  'http://Metadata.Google.Internal./v1',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
])('%s is refused whatever is opened widely', (url) => {
  expect(findBaseUrlFault(url, everywhere)).toContain('is not allowed')
})
test('a metadata address is opened by itself alone', () => {
  expect(findBaseUrlFault('http://169.254.10.1/v1', createNetworks(['169.254.10.1']))).toBeNull()
  expect(
    findBaseUrlFault('http://169.254.10.1/v1', createNetworks(['169.254.0.0/16', '169.254.10.2'])),
  ).not.toBeNull()
})

test.each([
  'ftp://x/',
  'http://user:pw@x/',
  'http://user@x/',
  'http://:pw@x/',
  'http://x/?key=1',
  'http://x/?',
  'http://x/#',
  'http://x/v1 ',
  'http://x/\tv1',
  'http://ex\nample.com/',
  'nonsense',
  'http://1.2.3.4.5/',
  'http://[::1%25eth0]/',
  '//x/v1',
  'data:text/plain,x',
  'file:///etc/passwd',
])('%j is no base URL', (url) => {
  expect(findBaseUrlFault(url, everywhere)).not.toBeNull()
})
test.each([
  'https://api.openai.com/v1',
  'http://models.internal/v1',
  'https://b\u00fccher.example/v1',
  'http://8.8.8.8:8000',
])('%s is taken', (url) => {
  expect(findBaseUrlFault(url, nowhere)).toBeNull()
})

test.each<[string, string, string, boolean]>([
  ['private', 'gpu.internal', '10.0.0.5', true],
  ['private', 'gpu.internal', '127.0.0.1', false],
  ['10.1.0.0/16', 'gpu.internal', '10.1.2.3', true],
  ['10.1.0.0/16', 'gpu.internal', '::ffff:10.1.2.3', true],
  ['10.1.0.0/16', 'gpu.internal', '10.2.2.3', false],
  ['fd12::/16', 'gpu.internal', 'fd12::7', true],
  ['gpu.internal', 'GPU.internal.', '192.168.1.7', true],
  ['gpu.internal', 'gpu.internal', '127.0.0.1', true],
  ['gpu.internal', 'gpu.internal', '169.254.169.254', false],
  ['gpu.internal', 'gpu.internal', '224.0.0.1', false],
  ['gpu.internal', 'other.internal', '10.0.0.5', false],
  ['gpu.internal', 'x.gpu.internal', '10.0.0.5', false],
  ['*.internal', 'gpu.internal', '10.0.0.5', true],
  ['*.internal', 'a.b.internal', '10.0.0.5', true],
  ['*.internal', 'internal', '10.0.0.5', false],
  ['*.internal', 'xinternal', '10.0.0.5', false],
  ['192.168.1.7', '192.168.1.7', '192.168.1.7', true],
  ['192.168.1.7', '192.168.1.8', '192.168.1.8', false],
  ['198.18.0.0/15', 'test.example', '198.18.0.1', true],
])('%s: %s at %s may be asked: %s', (entry, host, address, allowed) => {
  expect(createNetworks([entry]).refusal(host, address) === null).toBe(allowed)
})
test.each([
  '10.0.0.0/99',
  '10.0.0.0/',
  'http://gpu.internal',
  'gpu.internal:8000',
  '*',
  '10.0.0',
  'a b',
  '*.*',
])('%s is no entry', (entry) => {
  expect(() => createNetworks([entry])).toThrow(entry)
})
test('a refusal says what to add, and not what a name stands for', () => {
  const refusal = nowhere.refusal('gpu.internal', '10.9.8.7')
  expect(refusal).toContain('set STATEEVAL_MODEL_NETWORKS=gpu.internal in')
  expect(createNetworks(['loopback']).refusal('gpu.internal', '10.9.8.7')).toContain(
    'set STATEEVAL_MODEL_NETWORKS=loopback,gpu.internal in',
  )
  expect(createNetworks(['loopback', 'db.internal']).refusal('gpu.internal', '10.9.8.7')).toContain(
    'add gpu.internal to STATEEVAL_MODEL_NETWORKS in',
  )
  expect(refusal).not.toContain('10.9.8.7')
})

describe('lists of hosts', () => {
  const lists = {
    hosts: ['api.example.com', '*.corp.example', '20.0.0.0/8'],
    denied: ['bad.corp.example', '20.1.0.0/16'],
  }
  const listed = createNetworks(['gpu.internal'], lists)
  test.each([
    ['api.example.com', '8.8.8.8', null],
    ['API.example.com.', '8.8.8.8', null],
    ['a.corp.example', '8.8.8.8', null],
    ['gpu.internal', '10.0.0.5', null],
    ['any.example', '20.0.0.1', null],
    ['other.example.com', '8.8.8.8', 'not on the list'],
    ['8.8.8.8', '8.8.8.8', 'not on the list'],
    // Who may be asked by name is not thereby allowed to be inside.
    ['api.example.com', '10.0.0.5', 'a private address'],
    ['api.example.com', '169.254.169.254', 'metadata'],
    ['bad.corp.example', '8.8.8.8', 'denied'],
    ['any.example', '20.1.2.3', 'denied'],
    ['api.example.com', '20.1.2.3', 'denied'],
    ['20.1.2.3', '20.1.2.3', 'denied'],
    ['api.example.com', '::ffff:20.1.2.3', 'denied'],
  ])('%s at %s: %s', (host, address, says) => {
    const refusal = listed.refusal(host, address)
    if (says === null) expect(refusal).toBeNull()
    else expect(refusal).toContain(says)
  })
  test('what is denied wins over what is allowed', () => {
    const networks = createNetworks(['private', 'loopback'], {
      denied: ['10.9.0.0/16', 'db.internal', 'loopback'],
    })
    expect(networks.refusal('x.internal', '10.8.0.1')).toBeNull()
    expect(networks.refusal('x.internal', '10.9.0.1')).toContain('STATEEVAL_MODEL_DENIED')
    expect(networks.refusal('db.internal', '10.8.0.1')).toContain('STATEEVAL_MODEL_DENIED')
    expect(networks.refusal('x.internal', '127.0.0.1')).toContain('STATEEVAL_MODEL_DENIED')
  })
  test('a name is refused before it is looked up, where no address could allow it', () => {
    const fault = (url: string, more = lists) => findBaseUrlFault(url, createNetworks([], more))
    expect(fault('https://bad.corp.example/v1')).toContain('STATEEVAL_MODEL_DENIED')
    expect(fault('https://other.example/v1')).toBeNull() // It may be in 20.0.0.0/8.
    const byName = { hosts: ['api.example.com'], denied: [] }
    expect(fault('https://other.example/v1', byName)).toContain('STATEEVAL_MODEL_HOSTS')
    expect(fault('https://8.8.8.8/v1', byName)).toContain('STATEEVAL_MODEL_HOSTS')
    expect(fault('https://api.example.com/v1', byName)).toBeNull()
  })
  test('a fault names the setting and the entry', () => {
    expect(() => createNetworks([], { hosts: ['a b'] })).toThrow('STATEEVAL_MODEL_HOSTS: a b')
    expect(() => createNetworks([], { denied: ['10.0.0.0/99'] })).toThrow(
      'STATEEVAL_MODEL_DENIED: 10.0.0.0/99',
    )
  })
})
