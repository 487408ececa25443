/**
 * The safetensors format (huggingface.co/docs/safetensors): 8 bytes with the length of the header,
 * little-endian; a JSON header of names with dtype, shape and offsets; the tensors' bytes, little-endian
 * and row-major. Pure. A file is untrusted input, so every claim of its header is checked before use.
 */
import type { TensorDtype } from '@stateeval/contracts'
import { getElementBytes } from './dtypes.ts'
import { countElements, findShapeFault, maxElements } from './value.ts'

export interface StoredTensor {
  dtype: TensorDtype
  shape: readonly number[]
  bytes: Uint8Array
}
type ReadTensors = { ok: true; tensors: Record<string, StoredTensor> } | { ok: false; says: string }

const names: Readonly<Record<TensorDtype, string>> = {
  float64: 'F64',
  float32: 'F32',
  float16: 'F16',
  bfloat16: 'BF16',
  int64: 'I64',
  int32: 'I32',
  int16: 'I16',
  int8: 'I8',
  uint8: 'U8',
  bool: 'BOOL',
}
const encoder = new TextEncoder()
const dtypes = new Map(Object.entries(names).map(([dtype, name]) => [name, dtype as TensorDtype]))

/** The format's own limit of a header. */
const longestHeader = 100_000_000

/** The file with these tensors, in the order of their names. The same tensors give the same bytes. */
export function writeSafetensors(tensors: Readonly<Record<string, StoredTensor>>): Uint8Array {
  let offset = 0
  const sortedEntries = Object.entries(tensors).sort(([a], [b]) => (a < b ? -1 : 1))
  const header = Object.fromEntries(
    sortedEntries.map(([name, { dtype, shape, bytes }]) => {
      const expected = countElements(shape) * getElementBytes(dtype)
      if (bytes.byteLength !== expected)
        throw new RangeError(`${name} has ${bytes.byteLength} bytes, its shape takes ${expected}`)
      const from = offset
      offset += expected
      return [name, { dtype: names[dtype], shape, data_offsets: [from, offset] }]
    }),
  )
  const json = encoder.encode(JSON.stringify(header))
  // Data begin at a multiple of 8, as the reference implementation writes them; the header is padded with
  // spaces.
  const paddedLength = Math.ceil(json.length / 8) * 8
  const file = new Uint8Array(8 + paddedLength + offset).fill(0x20, 8, 8 + paddedLength)
  // A header is far shorter than the upper half of its length could tell.
  new DataView(file.buffer).setUint32(0, paddedLength, true)
  file.set(json, 8)
  let at = 8 + paddedLength
  for (const [, { bytes }] of sortedEntries) {
    file.set(bytes, at)
    at += bytes.byteLength
  }
  return file
}

/** The tensors of a file, or its fault. The bytes are views into the file. */
export function readSafetensors(file: Uint8Array, { elements = maxElements } = {}): ReadTensors {
  const bad = (says: string): ReadTensors => ({ ok: false, says: `not a valid safetensors file: ${says}` })
  if (file.byteLength < 8)
    return bad(`it has ${file.byteLength} bytes; the length of the header alone takes 8`)
  const length = new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true)
  if (length > BigInt(longestHeader) || length > BigInt(file.byteLength - 8))
    return bad(`its header is said to have ${length} bytes, but the file has ${file.byteLength}`)
  const data = file.subarray(8 + Number(length))
  let header: unknown
  try {
    header = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, 8 + Number(length))),
    )
  } catch {
    return bad('its header is not JSON')
  }
  if (header === null || typeof header !== 'object' || Array.isArray(header))
    return bad('its header is not a JSON object')
  const tensors: [string, StoredTensor][] = []
  const ranges: [number, number][] = []
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue
    const tensor = readSafetensorsEntry(entry, data.byteLength, elements)
    if (typeof tensor === 'string') return bad(`its tensor ${JSON.stringify(name.slice(0, 80))} ${tensor}`)
    ranges.push([tensor.from, tensor.to])
    tensors.push([
      name,
      { dtype: tensor.dtype, shape: tensor.shape, bytes: data.subarray(tensor.from, tensor.to) },
    ])
  }
  let end = 0
  for (const [from, to] of ranges.sort(([a, b], [c, d]) => a - c || b - d)) {
    if (from !== end)
      return bad(`its tensors overlap or leave a gap at byte ${Math.min(from, end)} of the data`)
    end = to
  }
  if (end !== data.byteLength) return bad(`it has ${data.byteLength} bytes of data; its tensors take ${end}`)
  return { ok: true, tensors: Object.fromEntries(tensors) }
}

function readSafetensorsEntry(
  entry: unknown,
  size: number,
  elements: number,
): string | { dtype: TensorDtype; shape: number[]; from: number; to: number } {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return 'is not an object'
  const { dtype: name, shape, data_offsets: offsets } = entry as Record<string, unknown>
  const dtype = typeof name === 'string' ? dtypes.get(name) : undefined
  if (!dtype)
    return `has the dtype ${JSON.stringify(name)}, which is not supported; available: ${[...dtypes.keys()].join(', ')}`
  const wrong = findShapeFault(shape, elements)
  if (wrong !== null) return wrong
  if (
    !Array.isArray(offsets) ||
    offsets.length !== 2 ||
    !offsets.every((at) => Number.isSafeInteger(at) && at >= 0)
  )
    return 'has no data_offsets of two integers'
  const [from, to] = offsets as [number, number]
  if (from > to || to > size)
    return `has the data_offsets ${from} to ${to}, but there are ${size} bytes of data`
  const expected = countElements(shape as number[]) * getElementBytes(dtype)
  return to - from === expected
    ? { dtype, shape: shape as number[], from, to }
    : `has ${to - from} bytes; ${dtype} of shape ${JSON.stringify(shape)} takes ${expected}`
}
