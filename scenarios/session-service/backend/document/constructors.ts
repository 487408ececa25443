/** The shell's forms: NumberLong(1), ISODate("2020-01-01"), ObjectId("…"), new Date(0). */
import { Binary, BSONRegExp, Timestamp } from 'mongodb'
import { parseDate } from './dates.ts'
import { createBinary, createDecimal, createInt, createLong, createObjectId, createUuid } from './extended.ts'
import { type FreshValues, type DocumentParser, createUnexpected } from './parse.ts'
import type { DocumentToken } from './scanner.ts'
import { DocumentError, SpecialValue, type BsonValue } from './value.ts'

type ConstructorArguments = Extract<DocumentToken, { kind: 'string' | 'number' }>[]

function readConstructorArguments({ scanner }: DocumentParser): ConstructorArguments {
  const tokens: ConstructorArguments = []
  if (scanner.next().kind !== '(') throw new DocumentError(400, "JSON reader was expecting '('.")
  for (let token = scanner.next(); token.kind !== ')'; token = scanner.next()) {
    if (token.kind !== 'string' && token.kind !== 'number') throw createUnexpected('an argument', token)
    tokens.push(token)
    const after = scanner.next()
    if (after.kind === ')') break
    if (after.kind !== ',') throw createUnexpected("',' or ')'", after)
  }
  return tokens
}

function createMoment([first, ...more]: ConstructorArguments, { now }: FreshValues): Date {
  if (!first) return now()
  if (more.length > 0) throw new DocumentError(400, 'a date takes one argument: a text or milliseconds')
  return first.kind === 'string' ? parseDate(first.text) : new Date(Number(first.text))
}

const makers: Record<string, (args: ConstructorArguments, fresh: FreshValues) => BsonValue> = {
  ObjectId: ([id], { newId }) => createObjectId(id ? id.text : newId()),
  NumberInt: ([value]) => createInt(value?.text ?? ''),
  NumberLong: ([value]) => createLong(value?.text ?? ''),
  NumberDecimal: ([value]) => createDecimal(value?.text ?? ''),
  ISODate: createMoment,
  Date: createMoment,
  BinData: ([type, data]) => createBinary(data?.text ?? '', Number(type?.text ?? 0)),
  HexData: ([type, data]) => new Binary(Buffer.from(data?.text ?? '', 'hex'), Number(type?.text ?? 0) & 0xff),
  UUID: ([value]) => createUuid(value?.text ?? ''),
  Timestamp: ([t, i]) => new Timestamp({ t: Number(t?.text ?? 0) >>> 0, i: Number(i?.text ?? 0) >>> 0 }),
  RegExp: ([pattern, options]) =>
    new BSONRegExp((pattern?.text ?? '').replaceAll('\0', ''), (options?.text ?? '').replace(/[^imsx]/g, '')),
  MinKey: () => new SpecialValue('minKey', ''),
  MaxKey: () => new SpecialValue('maxKey', ''),
}

/** The value of a word in a value's place. Throws the parser's own error for an unknown word. */
export function readConstructor(word: string, parser: DocumentParser): BsonValue {
  const name = word === 'new' ? parser.expect('word').text : word
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined
  if (!make)
    throw new DocumentError(400, `JSON reader was expecting a value but found '${name.slice(0, 40)}'.`)
  const bare = (name === 'MinKey' || name === 'MaxKey') && parser.scanner.peek().kind !== '('
  return make(bare ? [] : readConstructorArguments(parser), parser.fresh)
}
