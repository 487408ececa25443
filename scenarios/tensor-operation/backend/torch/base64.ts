/** Elements and their bytes, little endian, as base64: without anything of Node or of browsers. */
import type { DtypeName } from './dtype.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Uint8Array(128)
for (let at = 0; at < 64; at++) values[letters.charCodeAt(at)] = at

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const word = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text += letters[word >> 18]! + letters[(word >> 12) & 63]!
    text += (left > 1 ? letters[(word >> 6) & 63]! : '=') + (left > 2 ? letters[word & 63]! : '=')
  }
  return text
}

function fromBase64(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  for (let at = 0, out = 0; at < text.length; at += 4) {
    let word = 0
    for (let n = 0; n < 4; n++) word = (word << 6) | (values[text.charCodeAt(at + n)] ?? 0)
    if (out < bytes.length) bytes[out++] = word >> 16
    if (out < bytes.length) bytes[out++] = (word >> 8) & 255
    if (out < bytes.length) bytes[out++] = word & 255
  }
  return bytes
}

const setters: Record<DtypeName, (view: DataView, at: number, value: number) => void> = {
  float32: (view, at, value) => view.setFloat32(at * 4, value, true),
  float64: (view, at, value) => view.setFloat64(at * 8, value, true),
  int32: (view, at, value) => view.setInt32(at * 4, value, true),
  int64: (view, at, value) => view.setBigInt64(at * 8, BigInt(Math.trunc(value)), true),
  bool: (view, at, value) => view.setUint8(at, value ? 1 : 0),
}
const getters: Record<DtypeName, (view: DataView, at: number) => number> = {
  float32: (view, at) => view.getFloat32(at * 4, true),
  float64: (view, at) => view.getFloat64(at * 8, true),
  int32: (view, at) => view.getInt32(at * 4, true),
  int64: (view, at) => Number(view.getBigInt64(at * 8, true)),
  bool: (view, at) => view.getUint8(at),
}

export function encodeNumbers(numbers: ArrayLike<number>, dtype: DtypeName, bytesEach: number): string {
  const bytes = new Uint8Array(numbers.length * bytesEach)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < numbers.length; at++) setters[dtype](view, at, numbers[at]!)
  return toBase64(bytes)
}

/** Converts to the language's own types. */
export function decodeNumbers(text: string, dtype: DtypeName, count: number): (number | boolean)[] {
  const bytes = fromBase64(text)
  const view = new DataView(bytes.buffer)
  return Array.from({ length: count }, (_, at) => {
    const value = getters[dtype](view, at)
    return dtype === 'bool' ? value !== 0 : value
  })
}
