/**
 * The service's body rules (facts of upstream: MongoDB's relaxed parser, not a JSON parser): unquoted names,
 * single quotes, a trailing or missing comma, anything after the closing brace, duplicate names (the last
 * wins), extended JSON and shell forms are accepted.
 */
import { Double } from 'mongodb'
import { readConstructor } from './constructors.ts'
import { readExtended, createRegex } from './extended.ts'
import { DocumentScanner, type DocumentToken } from './scanner.ts'
import { type BsonDocument, DocumentError, MAX_DEPTH, SpecialValue, type BsonValue } from './value.ts'

/** Values for ISODate() and ObjectId() without arguments. */
export interface FreshValues {
  now: () => Date
  /** 24 hex digits. */
  newId: () => string
}

/** The document that the text begins with. Throws DocumentError (400 or 500). */
export function parseDocument(text: string, fresh: FreshValues): BsonDocument {
  const value = new DocumentParser(text, fresh).value(0)
  if (value instanceof Map) return value
  throw new DocumentError(500, 'the body is not a document: send an object, such as {"title": "…"}')
}

export class DocumentParser {
  readonly scanner: DocumentScanner
  readonly fresh: FreshValues
  constructor(text: string, fresh: FreshValues) {
    this.scanner = new DocumentScanner(text)
    this.fresh = fresh
  }

  value(depth: number): BsonValue {
    const token = this.scanner.next()
    switch (token.kind) {
      case '{':
        return this.#object(depth + 1)
      case '[':
        return this.#list(depth + 1)
      case 'string':
        return token.text
      case 'number':
        return token.value
      case 'regex':
        return createRegex(token.pattern, token.options)
      case 'word':
        return this.#word(token.text)
      case 'end':
        // Upstream doesn't handle a text of blanks only; inside a document it is an ordinary syntax error.
        throw new DocumentError(depth === 0 ? 500 : 400, 'the document text ends before it is complete')
      case '}':
      case ']':
      case '(':
      case ')':
      case ':':
      case ',':
        throw createUnexpected('a value', token)
    }
  }

  /** Takes the next token, which must be of this kind. */
  expect<K extends DocumentToken['kind']>(kind: K): Extract<DocumentToken, { kind: K }> {
    const token = this.scanner.next()
    if (token.kind !== kind) throw createUnexpected(`'${kind}'`, token)
    return token as Extract<DocumentToken, { kind: K }>
  }

  #object(depth: number): BsonValue {
    if (depth > MAX_DEPTH)
      throw new DocumentError(400, `the document is nested deeper than ${MAX_DEPTH} levels`)
    const start = this.scanner.at
    const first = this.scanner.next()
    if (first.kind === 'string' || first.kind === 'word') {
      const special = readExtended(first.text, this)
      if (special !== undefined) return special
    }
    this.scanner.at = start
    return this.#document(depth)
  }

  #document(depth: number): BsonDocument {
    const doc: BsonDocument = new Map()
    for (;;) {
      const name = this.scanner.next()
      if (name.kind === '}') return doc
      if (name.kind !== 'string' && name.kind !== 'word') throw createUnexpected('a field name', name)
      if (name.text.includes('\0')) throw new DocumentError(500, 'a field name contains a NUL character')
      this.expect(':')
      // Names become well-formed UTF-8: two names that differ in broken characters only are one.
      doc.set(name.text.toWellFormed(), this.value(depth))
      this.#comma()
    }
  }

  #list(depth: number): BsonValue[] {
    if (depth > MAX_DEPTH)
      throw new DocumentError(400, `the document is nested deeper than ${MAX_DEPTH} levels`)
    const items: BsonValue[] = []
    while (!this.scanner.takes(']')) {
      items.push(this.value(depth))
      this.#comma()
    }
    return items
  }

  #comma() {
    this.scanner.takes(',')
  }

  #word(text: string): BsonValue {
    switch (text) {
      case 'true':
      case 'false':
        return text === 'true'
      case 'null':
        return null
      case 'undefined':
        return new SpecialValue('undefined', '')
      case 'NaN':
      case 'Infinity':
        return new Double(Number(text))
      default:
        return readConstructor(text, this)
    }
  }
}

export const createUnexpected = (expectation: string, token: DocumentToken) =>
  new DocumentError(400, `JSON reader was expecting ${expectation} but found '${token.text.slice(0, 40)}'.`)
