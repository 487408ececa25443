/**
 * Python's arithmetic: integers of any size, floats, and what happens where they meet. Results are bounded.
 */
import { PyComplex, toPyNumber, type PyValue, formatPyRepr } from '../python/value.ts'
import { PyError, throwTypeError, UnavailableError } from './errors.ts'

export type PyNumber = bigint | number

/** Integers may have as many bits; Python would continue, and take its time. */
const maxBits = 200_000

/** A number, or a TypeError in Python's words. */
export function requireNumber(value: PyValue, operation: string): PyNumber {
  const number = toPyNumber(value)
  return number ?? throwTypeError(`unsupported operand for ${operation}: ${getPyKind(value)}`)
}
export const getPyKind = (value: PyValue): string =>
  value === null
    ? 'NoneType'
    : typeof value === 'string'
      ? 'str'
      : typeof value === 'bigint'
        ? 'int'
        : typeof value === 'number'
          ? 'float'
          : typeof value === 'boolean'
            ? 'bool'
            : Array.isArray(value)
              ? 'list'
              : value instanceof PyComplex
                ? 'complex'
                : 'dict'

/** An integer; floats are rejected. */
export const requireInt = (value: PyValue, operation: string): bigint => {
  const number = requireNumber(value, operation)
  return typeof number === 'bigint'
    ? number
    : throwTypeError(`'float' object cannot be interpreted as an integer`)
}

/** float(x) of a number. */
export function convertFloat(value: PyNumber): number {
  const number = Number(value)
  if (typeof value === 'bigint' && !Number.isFinite(number))
    throw new PyError('OverflowError', 'int too large to convert to float')
  return number
}

/** int(x): floats are cut, texts are read. */
export function toInt(value: PyValue): bigint {
  if (typeof value === 'string') {
    if (!/^\s*[-+]?\d(?:_?\d)*\s*$/.test(value) || value.length > 4300)
      throw new PyError(
        'ValueError',
        `invalid literal for int() with base 10: ${formatPyRepr(value).slice(0, 60)}`,
      )
    return BigInt(value.replaceAll('_', '').trim().replace(/^\+/, ''))
  }
  return truncateNumber(requireNumber(value, 'int()'))
}
function truncateNumber(value: PyNumber): bigint {
  if (typeof value === 'bigint') return value
  if (!Number.isFinite(value))
    throw new PyError(
      Number.isNaN(value) ? 'ValueError' : 'OverflowError',
      `cannot convert float ${String(value)} to integer`,
    )
  return BigInt(Math.trunc(value))
}

/** About how many bits it has. */
const countBits = (value: bigint) => (value < 0n ? -value : value).toString(16).length * 4
/** About how many decimal digits it has; quick for small ones. */
export const countDigits = (value: bigint): number =>
  BigInt.asIntN(53, value) === value ? 1 : Math.ceil(countBits(value) * 0.302)
export function boundInteger(value: bigint): bigint {
  if (countBits(value) > maxBits) throw new UnavailableError(`an integer has more than ${maxBits} bits`)
  return value
}

const readBothIntegers = (a: PyNumber, b: PyNumber): [bigint, bigint] | null =>
  typeof a === 'bigint' && typeof b === 'bigint' ? [a, b] : null

export function add(a: PyNumber, b: PyNumber): PyNumber {
  const ints = readBothIntegers(a, b)
  return ints ? boundInteger(ints[0] + ints[1]) : convertFloat(a) + convertFloat(b)
}
export function subtractNumbers(a: PyNumber, b: PyNumber): PyNumber {
  const ints = readBothIntegers(a, b)
  return ints ? boundInteger(ints[0] - ints[1]) : convertFloat(a) - convertFloat(b)
}
export function multiplyNumbers(a: PyNumber, b: PyNumber): PyNumber {
  const ints = readBothIntegers(a, b)
  if (!ints) return convertFloat(a) * convertFloat(b)
  if (countBits(ints[0]) + countBits(ints[1]) > 2 * maxBits)
    throw new UnavailableError(`an integer has more than ${maxBits} bits`)
  return boundInteger(ints[0] * ints[1])
}

const throwZeroDivision = (message: string): never => {
  throw new PyError('ZeroDivisionError', message)
}

/** True division: the nearest float. */
export function divideNumbers(a: PyNumber, b: PyNumber): number {
  if (b == 0) throwZeroDivision('division by zero')
  const ints = readBothIntegers(a, b)
  if (!ints) return convertFloat(a) / convertFloat(b)
  const [x, y] = ints
  if (isSafe(x) && isSafe(y)) return Number(x) / Number(y)
  // Enough bits of the quotient that rounding them once gives the nearest float; the last one says whether
  // there are more.
  const shift = BigInt(Math.min(Math.max(0, countBits(y) - countBits(x) + 72), 1076))
  const scaled = x << shift
  const quotient = scaled / y
  const sticky = scaled % y === 0n ? 0n : x < 0n === y < 0n ? 1n : -1n
  // In two steps, as the whole divisor may exceed every float.
  const half = Number(shift) >> 1
  const result = Number((quotient << 1n) + sticky) / 2 ** half / 2 ** (Number(shift) + 1 - half)
  if (!Number.isFinite(result))
    throw new PyError('OverflowError', 'integer division result too large for a float')
  return result
}
const isSafe = (value: bigint) => value <= 2n ** 53n && value >= -(2n ** 53n)

/** a % b: the sign of b. */
export function computeModulo(a: PyNumber, b: PyNumber): PyNumber {
  if (b == 0) throwZeroDivision('modulo by zero')
  const ints = readBothIntegers(a, b)
  if (ints) {
    const rest = ints[0] % ints[1]
    return rest !== 0n && rest < 0n !== ints[1] < 0n ? rest + ints[1] : rest
  }
  const [x, y] = [convertFloat(a), convertFloat(b)]
  const rest = x % y
  if (rest === 0) return y < 0 ? -0 : 0
  return rest < 0 !== y < 0 ? rest + y : rest
}

/** a // b. */
export function divideFloor(a: PyNumber, b: PyNumber): PyNumber {
  if (b == 0) throwZeroDivision('division by zero')
  const ints = readBothIntegers(a, b)
  if (!ints) return divideFloatsFloor(convertFloat(a), convertFloat(b))
  const [x, y] = ints
  const quotient = x / y
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient
}

/** Python takes the remainder first: 1.0 // 0.1 is 9.0, although 1.0 / 0.1 rounds to 10.0. */
function divideFloatsFloor(x: number, y: number): number {
  const rest = x % y
  const quotient = (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0 ? 1 : 0)
  if (quotient === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0
  const floored = Math.floor(quotient)
  return quotient - floored > 0.5 ? floored + 1 : floored
}

/** Tells whether a ** b is complex. */
export function isComplexPower(a: PyNumber, b: PyNumber): boolean {
  const [x, y] = [Number(a), Number(b)]
  return x < 0 && Number.isFinite(x) && Number.isFinite(y) && !Number.isInteger(y)
}

/** a ** b. A complex result is an error here; `complex.ts` has it. */
export function raiseNumber(a: PyNumber, b: PyNumber): PyNumber {
  const ints = readBothIntegers(a, b)
  if (ints && ints[1] >= 0n) {
    const [base, exponent] = ints
    if (base !== 0n && base !== 1n && base !== -1n && BigInt(countBits(base)) * exponent > BigInt(maxBits))
      throw new UnavailableError(`an integer has more than ${maxBits} bits`)
    return (
      base **
      (base === 0n || base === 1n ? (exponent > 0n ? 1n : 0n) : base === -1n ? exponent % 2n : exponent)
    )
  }
  const [x, y] = [convertFloat(a), convertFloat(b)]
  // JavaScript says NaN.
  if (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1
  if (x === 0 && y < 0) throwZeroDivision('0.0 cannot be raised to a negative power')
  if (isComplexPower(a, b)) throwTypeError('the result is complex')
  const result = x ** y
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y))
    throw new PyError('OverflowError', 'Numerical result out of range')
  return result
}

export function floorNumber(value: PyNumber): bigint {
  return typeof value === 'bigint' ? value : truncateNumber(Math.floor(value))
}

export function computeBigGcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** The integer square root, rounded down. */
export function computeIntegerRoot(value: bigint): bigint {
  if (value < 0n) throw new PyError('ValueError', 'isqrt() argument must be nonnegative')
  if (value < 2n) return value
  let guess = 1n << BigInt((countBits(value) >> 1) + 2)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

/** The most factors of a product; more would have more bits than an integer may have. */
export const maxFactors = 30_000n

/** The product of the integers from..to. Python’s factorial, comb and perm are made of it. */
export function multiplyRange(from: bigint, to: bigint): bigint {
  if (to - from > maxFactors) throw new UnavailableError(`an integer has more than ${maxBits} bits`)
  return multiplyHalves(from, to)
}
/** Multiplies by halves, as large integers are multiplied faster than one by one. */
function multiplyHalves(from: bigint, to: bigint): bigint {
  if (to - from < 16n) {
    let result = 1n
    for (let factor = from; factor <= to; factor++) result *= factor
    return boundInteger(result)
  }
  const middle = (from + to) / 2n
  return boundInteger(multiplyHalves(from, middle) * multiplyHalves(middle + 1n, to))
}
