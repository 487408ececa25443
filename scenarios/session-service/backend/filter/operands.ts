/**
 * Allowed operands of each operator of a filter. Servers differ in their answer to anything else: the
 * embedded one fails with an internal error over a `$size` of 1e300, so it would blame itself for a fault of
 * the client.
 */
import { BSONRegExp, Double, Int32, Long } from 'mongodb'
import type { BsonValue } from '../document/value.ts'

/** Gives the fault of an operand; null where there is none. */
type OperandCheck = (value: BsonValue) => string | null

const check =
  (isRight: (value: BsonValue) => boolean, says: string): OperandCheck =>
  (value) =>
    isRight(value) ? null : says

const any: OperandCheck = () => null
const list = check(Array.isArray, 'a list')
const isPattern = (value: BsonValue) => value instanceof BSONRegExp
const isText = (value: BsonValue) => typeof value === 'string'

/** The number where it is finite. */
function findFiniteNumber(value: BsonValue): number | null {
  const number =
    value instanceof Int32 || value instanceof Double
      ? value.value
      : value instanceof Long
        ? value.toNumber()
        : Number.NaN
  return Number.isFinite(number) ? number : null
}
const isWhole = (value: BsonValue, least: number) => {
  const number = findFiniteNumber(value)
  return number !== null && Number.isInteger(number) && number >= least && number < 2 ** 31
}
/** Servers cut a fraction off, and compare as integers of 64 bits. */
const isLong = (value: BsonValue) => {
  const number = findFiniteNumber(value)
  return number !== null && Math.abs(Math.trunc(number)) < 2 ** 63
}
const isType = (value: BsonValue) => isText(value) || isWhole(value, -1)
const isMod = (value: BsonValue) =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every(isLong) &&
  Math.trunc(findFiniteNumber(value[0] as BsonValue) as number) !== 0

/** Checks of operators that compare a field with a value, by operator; others take filters. */
export const operands: Readonly<Record<string, OperandCheck>> = {
  $eq: any,
  $ne: check((value) => !isPattern(value), 'a value that is no pattern'),
  $gt: check((value) => !isPattern(value), 'a value that is no pattern'),
  $gte: check((value) => !isPattern(value), 'a value that is no pattern'),
  $lt: check((value) => !isPattern(value), 'a value that is no pattern'),
  $lte: check((value) => !isPattern(value), 'a value that is no pattern'),
  $in: list,
  $nin: list,
  $exists: any,
  $type: check(
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
    'the name or the number of a type, or a list of these',
  ),
  $regex: check((value) => isText(value) || isPattern(value), 'a pattern'),
  $options: check((value) => typeof value === 'string' && /^[ims]*$/.test(value), 'letters of ims'),
  $size: check((value) => isWhole(value, 0), 'a whole number from 0'),
  $all: list,
  $mod: check(isMod, 'a divisor other than 0 and a remainder, integers of 64 bits'),
}
