/**
 * Reads BSON as the server sent it. The driver's own reader makes plain objects, which lose the order of
 * integer-like names; this one keeps order and kinds.
 */
import { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb'
import type { BsonDocument, BsonValue } from './value.ts'

/**
 * The document in these bytes. Throws a RangeError or TypeError on bytes that are none: the database is
 * broken then.
 */
export const readBson = (bytes: Uint8Array): BsonDocument =>
  new BsonReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).document()

class BsonReader {
  readonly bytes: Buffer
  at = 0
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  document(): BsonDocument {
    const doc: BsonDocument = new Map()
    this.at += 4
    for (let type = this.#byte(); type !== 0; type = this.#byte()) doc.set(this.#name(), this.#value(type))
    return doc
  }

  /** Its names are 0, 1, 2 …: they aren’t read. */
  #list(): BsonValue[] {
    const items: BsonValue[] = []
    this.at += 4
    for (let type = this.#byte(); type !== 0; type = this.#byte()) {
      this.at = this.bytes.indexOf(0, this.at) + 1
      items.push(this.#value(type))
    }
    return items
  }

  #value(type: number): BsonValue {
    switch (type) {
      case 0x01:
        return new Double(this.bytes.readDoubleLE(this.#skip(8)))
      case 0x02:
        return this.#string()
      case 0x03:
        return this.document()
      case 0x04:
        return this.#list()
      case 0x05:
        return this.#binary()
      case 0x07:
        return new ObjectId(Uint8Array.from(this.bytes.subarray(this.#skip(12), this.at)))
      case 0x08:
        return this.#byte() === 1
      case 0x09:
        return new Date(Number(this.bytes.readBigInt64LE(this.#skip(8))))
      case 0x0a:
        return null
      case 0x0b:
        return new BSONRegExp(this.#name(), this.#name())
      case 0x10:
        return new Int32(this.bytes.readInt32LE(this.#skip(4)))
      case 0x11:
        return new Timestamp(this.bytes.readBigUInt64LE(this.#skip(8)))
      case 0x12:
        return Long.fromBigInt(this.bytes.readBigInt64LE(this.#skip(8)))
      default:
        throw new TypeError(`BSON type 0x${type.toString(16)} is never stored by this service`)
    }
  }

  /** Moves on; gives where it was. */
  #skip(length: number): number {
    const at = this.at
    this.at += length
    return at
  }
  #byte = () => this.bytes.readUInt8(this.#skip(1))
  #name(): string {
    const end = this.bytes.indexOf(0, this.at)
    const name = this.bytes.toString('utf8', this.at, end)
    this.at = end + 1
    return name
  }
  #string(): string {
    const length = this.bytes.readInt32LE(this.#skip(4))
    return this.bytes.toString('utf8', this.#skip(length), this.at - 1)
  }
  #binary(): Binary {
    const length = this.bytes.readInt32LE(this.#skip(4))
    const subType = this.#byte()
    return new Binary(Uint8Array.from(this.bytes.subarray(this.#skip(length), this.at)), subType)
  }
}
