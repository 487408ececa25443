/** Long work in slices: what others wait for gets its turn in between. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sha256 } from '@stateeval/contracts'
import { isLong } from './threads/is-long.ts'

/** Work of a few milliseconds may be done between two turns. */
const betweenTurnsMs = 8

/** A function that is called often and waits for the others’ turn when it is due. */
function createTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < betweenTurnsMs) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}

const sliceBytes = 2 ** 20
function* listByteSlices(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}

/** The SHA-256 of bytes that may be many. */
export async function hashInTurns(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= sliceBytes) return sha256(bytes)
  const turn = createTurns()
  const hash = createHash('sha256')
  for (const slice of listByteSlices(bytes)) {
    hash.update(slice)
    await turn()
  }
  return hash.digest('hex')
}

const hashDigits = 64
const digitTable = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-f]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
/** Tells whether bytes contain a hash as text. */
export async function hasHashInTurns(bytes: Uint8Array): Promise<boolean> {
  const turn = createTurns()
  let digits = 0
  for (const slice of listByteSlices(bytes)) {
    for (const byte of slice) {
      digits = digitTable[byte] === 1 ? digits + 1 : 0
      if (digits === hashDigits) return true
    }
    await turn()
  }
  return false
}

/** Characters of JSON that are made at once. */
const pieceLength = 64 * 1024
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Deeper values, among them those that contain themselves, are left to JSON.stringify. */
const maxPieceDepth = 100

/** Lists the pieces of what JSON.stringify makes of lists and plain objects; undefined becomes null. */
function* listJsonPieces(value: unknown, depth = 0): Generator<string, void> {
  const isList = Array.isArray(value)
  if (depth > maxPieceDepth || !(isList || isPlain(value)) || !isLong(value, pieceLength)) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  let separator = isList ? '[' : '{'
  if (isList)
    for (const member of value as unknown[]) {
      yield separator
      yield* listJsonPieces(member, depth + 1)
      separator = ','
    }
  else
    for (const [name, member] of Object.entries(value)) {
      // JSON leaves out undefined, and also functions and symbols, which no value here has.
      if (member === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* listJsonPieces(member, depth + 1)
      separator = ','
    }
  yield `${separator === ',' ? '' : separator}${isList ? ']' : '}'}`
}

/** The JSON of a value in UTF-8. A value that is long for one turn is written in several. */
export async function serializeInTurns(value: unknown): Promise<Buffer> {
  const turn = createTurns()
  const parts: Buffer[] = []
  let text = ''
  for (const piece of listJsonPieces(value)) {
    text += piece
    if (text.length < pieceLength) continue
    parts.push(Buffer.from(text))
    text = ''
    await turn()
  }
  parts.push(Buffer.from(text))
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
