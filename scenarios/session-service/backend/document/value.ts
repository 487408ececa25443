/**
 * A document as the service holds it: names keep their order (a plain object would move integer-like names to
 * the front) and numbers keep their kind, so that `1` and `1.0` stay different.
 */
import type { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb'

export type BsonDocument = Map<string, BsonValue>
export type BsonValue =
  | null
  | boolean
  | string
  | Int32
  | Long
  | Double
  | Date
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | SpecialValue
  | BsonValue[]
  | BsonDocument

/** Kinds that not every MongoDB-compatible server stores, held by their text. */
export type SpecialKind = 'decimal' | 'minKey' | 'maxKey' | 'undefined' | 'code' | 'symbol'
export class SpecialValue {
  readonly kind: SpecialKind
  readonly text: string
  constructor(kind: SpecialKind, text: string) {
    this.kind = kind
    this.text = text
  }
}

/** How deep documents may nest: MongoDB stores 100 levels, one of which holds the session itself. */
export const MAX_DEPTH = 99

/**
 * A text that is no document: 400 where its syntax is wrong, 500 where upstream lets the exception through.
 */
export class DocumentError extends Error {
  override name = 'DocumentError'
  readonly status: 400 | 500
  constructor(status: 400 | 500, message: string) {
    super(message)
    this.status = status
  }
}
