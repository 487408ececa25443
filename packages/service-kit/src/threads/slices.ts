/**
 * A large value in slices: copied from a thread at once, it would hold the receiver for as long as its parts
 * take. A slice holds it for a few milliseconds.
 */
import { isLong } from './is-long.ts'

/**
 * Steps that rebuild a value: they begin lists and objects, add members, and end them. `key` is the name of a
 * value in the object that was begun before it.
 */
type ValuePiece =
  | { kind: 'begin'; list: boolean; key?: string }
  | { kind: 'put'; value: unknown; key?: string }
  | { kind: 'members'; values: unknown[]; names?: string[] }
  | { kind: 'end' }
export type ValueSlice = ValuePiece[]

/** Characters and values of a slice; a single text, or bytes, may be longer. */
const sliceLength = 32_768
/** Values up to this length are put as they are. */
const partLength = 1024

type ObjectFields = Record<string, unknown>
const isPlain = (value: unknown): value is ObjectFields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
const isBuilt = (value: unknown): value is ObjectFields | unknown[] =>
  (Array.isArray(value) || isPlain(value)) && isLong(value, partLength)

/** The slices of a value of plain objects, lists and anything else that can be copied. */
export function* sliceValue(value: unknown): Generator<ValueSlice, void> {
  let slice: ValueSlice = []
  let room = sliceLength
  for (const { piece, length } of measurePieces(value)) {
    if (length > room && slice.length > 0) {
      yield slice
      slice = []
      room = sliceLength
    }
    slice.push(piece)
    room -= length
  }
  yield slice
}

interface MeasuredPiece {
  piece: ValuePiece
  length: number
}
function* measurePieces(value: unknown, key?: string): Generator<MeasuredPiece, void> {
  const name = key === undefined ? {} : { key }
  if (!isBuilt(value)) {
    yield { piece: { kind: 'put', value, ...name }, length: measureLength(value) }
    return
  }
  yield { piece: { kind: 'begin', list: Array.isArray(value), ...name }, length: 1 }
  yield* Array.isArray(value)
    ? sliceMembers(value, null)
    : sliceMembers(Object.values(value), Object.keys(value))
  yield { piece: { kind: 'end' }, length: 1 }
}

/** Short members together; `names` are those of an object. */
function* sliceMembers(
  values: readonly unknown[],
  names: readonly string[] | null,
): Generator<MeasuredPiece, void> {
  let from = 0
  let length = 0
  const run = function* (to: number): Generator<MeasuredPiece, void> {
    if (to > from)
      yield {
        piece: {
          kind: 'members',
          values: values.slice(from, to),
          ...(names && { names: names.slice(from, to) }),
        },
        length,
      }
    from = to
    length = 0
  }
  for (let n = 0; n < values.length; n++) {
    const value = values[n]
    if (isBuilt(value)) {
      yield* run(n)
      yield* measurePieces(value, names?.[n])
      from = n + 1
      continue
    }
    const more = measureLength(value) + (names?.[n]?.length ?? 0)
    if (length + more > sliceLength / 4) yield* run(n)
    length += more
  }
  yield* run(values.length)
}

/** Measures a value that is not built from members. */
const measureLength = (value: unknown): number =>
  typeof value === 'string'
    ? value.length + 1
    : typeof value !== 'object' || value === null
      ? 1
      : isLong(value, 32)
        ? partLength
        : 33

/** Memory of bytes in a slice that moves with it: copied, many bytes would hold the receiver. */
export const listMovableMemory = (slice: ValueSlice): ArrayBuffer[] => [
  ...new Set(
    slice.flatMap((piece) =>
      piece.kind === 'put'
        ? listOwnMemory(piece.value)
        : piece.kind === 'members'
          ? piece.values.flatMap(listOwnMemory)
          : [],
    ),
  ),
]
const listOwnMemory = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : []

/** Builds a value again from its slices. */
export class ValueAssembly {
  readonly #open: (unknown[] | ObjectFields)[] = []
  value: unknown

  add(slice: ValueSlice): void {
    for (const piece of slice) {
      if (piece.kind === 'end') this.#open.pop()
      else if (piece.kind === 'put') this.#put(piece.value, piece.key)
      else if (piece.kind === 'members') {
        for (const [n, value] of piece.values.entries()) this.#put(value, piece.names?.[n])
      } else {
        const begun = piece.list ? [] : {}
        this.#put(begun, piece.key)
        this.#open.push(begun)
      }
    }
  }

  #put(value: unknown, key: string | undefined) {
    const holder = this.#open.at(-1)
    if (!holder) this.value = value
    else if (Array.isArray(holder)) holder.push(value)
    // A member of that name is the object's own, too.
    else if (key === '__proto__')
      Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
    else holder[key!] = value
  }
}
