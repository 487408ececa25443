/**
 * Tensors as values and as safetensors files: what is written is read back, and no bad file or value gets
 * through.
 */
import { expect, test } from '@jest/globals'
import { type TensorDtype, tensorDtypes } from '@stateeval/contracts'
import fc from 'fast-check'
import {
  listArtifacts,
  encodeBase64,
  getElementBytes,
  findTensorFault,
  writeFloat32,
  readNumbers,
  readSafetensors,
  resolveTensors,
  type StoredTensor,
  createTensor,
  toArtifact,
  writeSafetensors,
} from '../src/index.ts'

const tensorArbitrary = fc
  .record({ dtype: fc.constantFrom(...tensorDtypes), shape: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }) })
  .chain(({ dtype, shape }) => {
    const length = shape.reduce((a, b) => a * b, 1) * getElementBytes(dtype)
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((bytes): StoredTensor => ({ dtype, shape, bytes }))
  })
const plain = (tensors: Record<string, StoredTensor>) =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => [
      name,
      { dtype, shape, bytes: encodeBase64(bytes) },
    ]),
  )

test('what is written to a file is read back', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tensorArbitrary, { maxKeys: 4 }),
      (tensors) => {
        const read = readSafetensors(writeSafetensors(tensors))
        expect(read.ok && plain(read.tensors)).toEqual(plain(tensors))
      },
    ),
    { seed: 1, numRuns: 200 },
  )
})

test('a file as the reference implementation writes it', () => {
  const file = writeSafetensors({ tensor: { dtype: 'float32', shape: [2], bytes: writeFloat32([1, -2]) } })
  expect(Buffer.from(file.subarray(0, 8)).readBigUInt64LE()).toBe(64n)
  expect(Buffer.from(file.subarray(8, 72)).toString()).toBe(
    '{"tensor":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}     ',
  )
  expect(Buffer.from(file.subarray(72)).toString('hex')).toBe('0000803f000000c0')
})

const file = (header: unknown, data = 8): Uint8Array => {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, json, Buffer.alloc(data)])
}
const entry = (change: object) => ({ tensor: { dtype: 'F32', shape: [2], data_offsets: [0, 8], ...change } })
test.each<[string, Uint8Array, string]>([
  ['too short', new Uint8Array(7), 'it has 7 bytes'],
  ['a header beyond the end', file(entry({})).subarray(0, 20), 'its header is said to have'],
  [
    'a huge header',
    Buffer.from('ffffffffffffffff7b7d', 'hex'),
    'its header is said to have 18446744073709551615 bytes',
  ],
  ['no JSON', file('{"tensor"'), 'its header is not JSON'],
  ['a list', file([]), 'its header is not a JSON object'],
  ['an unknown dtype', file(entry({ dtype: 'F8_E4M3' })), 'has the dtype "F8_E4M3", which is not supported'],
  ['a negative size', file(entry({ shape: [-2] })), 'has the shape [-2]'],
  [
    'too many elements',
    file(entry({ shape: [2 ** 30, 2 ** 20] })),
    'elements (shape [1073741824,1048576]); at most 1048576',
  ],
  ['no offsets', file(entry({ data_offsets: [0] })), 'has no data_offsets of two integers'],
  [
    'offsets beyond the end',
    file(entry({ data_offsets: [0, 9] })),
    'data_offsets 0 to 9, but there are 8 bytes',
  ],
  ['a shape that takes more', file(entry({ shape: [3] })), 'has 8 bytes; float32 of shape [3] takes 12'],
  ['data left over', file(entry({}), 12), 'it has 12 bytes of data; its tensors take 8'],
  [
    'overlap',
    file({ ...entry({}), other: { dtype: 'F32', shape: [1], data_offsets: [4, 8] } }),
    'overlap or leave a gap at byte 4',
  ],
])('a bad file is refused with the reason: %s', (_, bytes, says) => {
  const read = readSafetensors(bytes)
  expect(read).toMatchObject({ ok: false })
  expect(!read.ok && read.says).toContain(says)
})

test('any bytes are read or refused, never thrown at', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, at) => {
      const good = writeSafetensors({
        tensor: { dtype: 'float32', shape: [2, 3], bytes: writeFloat32([1, 2, 3, 4, 5, 6]) },
      })
      good.set(bytes.subarray(0, Math.max(0, good.length - (at % good.length))), at % good.length)
      expect(typeof readSafetensors(bytes).ok).toBe('boolean')
      expect(typeof readSafetensors(good).ok).toBe('boolean')
    }),
    { seed: 2, numRuns: 500 },
  )
})

const good = createTensor('float32', [2], writeFloat32([1, Number.NaN]))
test.each<[unknown, string | null]>([
  [good, null],
  [{ $tensor: { ...good.$tensor, dtype: 'complex64' } }, 'dtype "complex64", which is not supported'],
  [{ $tensor: { ...good.$tensor, shape: [3] } }, 'has 8 bytes of data; float32 of shape [3] takes 12'],
  [{ $tensor: { ...good.$tensor, shape: [2, 1.5] } }, 'has the shape [2,1.5]'],
  [{ $tensor: { ...good.$tensor, data: 'AB C=' } }, 'not valid base64'],
  [{ $tensor: { ...good.$tensor, artifact: 'x' } }, 'either data or artifact'],
  [{ $tensor: { dtype: 'float32', shape: [1], artifact: 'x' } }, 'not a SHA-256'],
  [{ $tensor: { ...good.$tensor, device: 'cpu' } }, 'has "device" in $tensor'],
  [{ $tensor: { ...good.$tensor, shape: [2 ** 21] } }, 'has 2097152 elements'],
  [{ $tensor: 1 }, 'not an object'],
  [[1], 'is not a tensor'],
])('%j as a tensor: %s', (value, fault) => {
  if (fault === null) expect(findTensorFault(value)).toBeNull()
  else expect(findTensorFault(value)).toContain(fault)
})

test('initial values are finite', () =>
  expect(findTensorFault(good, { finite: true })).toContain('not a finite number, at position 1'))

test.each<[TensorDtype, string, number[]]>([
  ['float16', '003c00c00100007c00fc007e', [1, -2, 2 ** -24, Infinity, -Infinity, Number.NaN]],
  ['bfloat16', '803f00c0', [1, -2]],
  ['int64', 'feffffffffffffff', [-2]],
  ['int8', 'ff7f', [-1, 127]],
  ['bool', '0001ff', [0, 1, 1]],
])('%s as numbers', (dtype, hex, numbers) =>
  expect([...readNumbers(dtype, Buffer.from(hex, 'hex'))]).toEqual(numbers),
)

test('values name their artifacts, and get their data back from them', () => {
  const {
    value,
    sha256,
    file: bytes,
  } = toArtifact({ dtype: 'float32', shape: [2], bytes: writeFloat32([1, 2]) })
  const input = { variables: { a: value, b: [value, { c: 1 }] }, world: {} }
  expect(listArtifacts(input)).toEqual([sha256])
  expect(listArtifacts([{ $tensor: null }, { $tensor: 'x' }, { $tensor: { artifact: 5 } }, value])).toEqual([
    sha256,
  ])
  const data = createTensor('float32', [2], writeFloat32([1, 2]))
  expect(resolveTensors(input, () => bytes)).toEqual({
    ok: true,
    value: { variables: { a: data, b: [data, { c: 1 }] }, world: {} },
  })
  const says = (find: () => Uint8Array | undefined, from: unknown = input) => {
    const resolved = resolveTensors(from, find)
    return resolved.ok ? '' : resolved.says
  }
  expect(says(() => undefined)).toContain('is missing')
  expect(says(() => bytes.with(79, 1))).toContain('content that does not match')
  expect(says(() => bytes, { $tensor: { ...value.$tensor, shape: [1, 2] } })).toContain(
    'contains a float32 tensor of shape [2], not float32 of [1, 2]',
  )
  for (const shape of [undefined, null, 'x', ['2'], 2])
    expect(says(() => bytes, { $tensor: { ...value.$tensor, shape } })).toContain('not float32 of')
  for (const number of [Number.NaN, Infinity, -Infinity]) {
    const { value: named, file } = toArtifact({
      dtype: 'float32',
      shape: [2],
      bytes: writeFloat32([1, number]),
    })
    expect(says(() => file, named)).toContain('has a value that is not a finite number, at position 1')
  }
})
