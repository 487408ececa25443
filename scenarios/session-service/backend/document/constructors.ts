/** The shell's forms: NumberLong(1), ISODate("2020-01-01"), ObjectId("…"), new Date(0). */
import { Binary, BSONRegExp, Timestamp } from 'mongodb'
import { parseDate } from './dates.ts'
import { binary, decimal, int, long, objectId, uuid } from './extended.ts'
import { type Fresh, type Parser, unexpected } from './parse.ts'
import type { Token } from './scanner.ts'
import { DocumentError, Special, type Value } from './value.ts'

type Arguments = Extract<Token, { kind: 'string' | 'number' }>[]

function argumentsOf({ scanner }: Parser): Arguments {
  const tokens: Arguments = []
  if (scanner.next().kind !== '(') throw new DocumentError(400, "JSON reader was expecting '('.")
  for (let token = scanner.next(); token.kind !== ')'; token = scanner.next()) {
    if (token.kind !== 'string' && token.kind !== 'number') throw unexpected('an argument', token)
    tokens.push(token)
    const after = scanner.next()
    if (after.kind === ')') break
    if (after.kind !== ',') throw unexpected("',' or ')'", after)
  }
  return tokens
}

function moment([first, ...more]: Arguments, { now }: Fresh): Date {
  if (!first) return now()
  if (more.length > 0) throw new DocumentError(400, 'a date takes one argument: a text or milliseconds')
  return first.kind === 'string' ? parseDate(first.text) : new Date(Number(first.text))
}

const makers: Record<string, (args: Arguments, fresh: Fresh) => Value> = {
  ObjectId: ([id], { newId }) => objectId(id ? id.text : newId()),
  NumberInt: ([value]) => int(value?.text ?? ''),
  NumberLong: ([value]) => long(value?.text ?? ''),
  NumberDecimal: ([value]) => decimal(value?.text ?? ''),
  ISODate: moment,
  Date: moment,
  BinData: ([type, data]) => binary(data?.text ?? '', Number(type?.text ?? 0)),
  HexData: ([type, data]) => new Binary(Buffer.from(data?.text ?? '', 'hex'), Number(type?.text ?? 0) & 0xff),
  UUID: ([value]) => uuid(value?.text ?? ''),
  Timestamp: ([t, i]) => new Timestamp({ t: Number(t?.text ?? 0) >>> 0, i: Number(i?.text ?? 0) >>> 0 }),
  RegExp: ([pattern, options]) =>
    new BSONRegExp((pattern?.text ?? '').replaceAll('\0', ''), (options?.text ?? '').replace(/[^imsx]/g, '')),
  MinKey: () => new Special('minKey', ''),
  MaxKey: () => new Special('maxKey', ''),
}

/** The value of a word in a value's place. Throws the parser's own error for an unknown word. */
export function constructors(word: string, parser: Parser): Value {
  const name = word === 'new' ? parser.expect('word').text : word
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined
  if (!make)
    throw new DocumentError(400, `JSON reader was expecting a value but found '${name.slice(0, 40)}'.`)
  const bare = (name === 'MinKey' || name === 'MaxKey') && parser.scanner.peek().kind !== '('
  return make(bare ? [] : argumentsOf(parser), parser.fresh)
}
