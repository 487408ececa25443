/**
 * Arithmetic of numbers one of which may be complex. The published functions are Python's operators, so a
 * root of a negative number is complex and goes on through the calls behind it: `c - c` equals a gold 0.
 * Formulas as CPython has them; the last digits are the mathematics library's.
 */
import { Complex, type Py } from '../python/value.ts'
import { PyError } from './errors.ts'
import * as py from './numbers.ts'
import { type Num, num } from './numbers.ts'

export type Scalar = Num | Complex

/** A number, complex ones too, or a TypeError in Python's words. */
export const scalar = (value: Py, operation: string): Scalar =>
  value instanceof Complex ? value : num(value, operation)

type Operation = (a: Complex, b: Complex) => Complex
const either =
  (real: (a: Num, b: Num) => Num, complex: Operation) =>
  (a: Scalar, b: Scalar): Scalar =>
    a instanceof Complex || b instanceof Complex ? complex(lifted(a), lifted(b)) : real(a, b)
const lifted = (value: Scalar): Complex =>
  value instanceof Complex ? value : new Complex(py.float(value), 0)

export const add = either(py.add, (a, b) => new Complex(a.re + b.re, a.im + b.im))
export const subtract = either(py.subtract, (a, b) => new Complex(a.re - b.re, a.im - b.im))
export const multiply = either(py.multiply, product)
export const divide = either(py.divide, quotient)
export const negate = (value: Scalar): Scalar =>
  value instanceof Complex ? new Complex(-value.re, -value.im) : -value

/** a ** b. */
export function power(a: Scalar, b: Scalar): Scalar {
  if (a instanceof Complex || b instanceof Complex || py.isComplexPower(a, b))
    return complexPower(lifted(a), lifted(b))
  return py.power(a, b)
}

function product(a: Complex, b: Complex): Complex {
  return new Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/** Smith's way, which divides by the larger part first. */
function quotient(a: Complex, b: Complex): Complex {
  if (b.re === 0 && b.im === 0) throw new PyError('ZeroDivisionError', 'complex division by zero')
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im / b.re
    const below = b.re + b.im * ratio
    return new Complex((a.re + a.im * ratio) / below, (a.im - a.re * ratio) / below)
  }
  const ratio = b.re / b.im
  const below = b.re * ratio + b.im
  return new Complex((a.re * ratio + a.im) / below, (a.im * ratio - a.re) / below)
}

/** Exponents that are whole and no larger are multiplied out. */
const maxMultiplied = 100

function complexPower(a: Complex, b: Complex): Complex {
  const isWhole = b.im === 0 && Number.isInteger(b.re) && Math.abs(b.re) <= maxMultiplied
  const result = isWhole ? wholePower(a, b.re) : polarPower(a, b)
  if (!Number.isFinite(result.re) || !Number.isFinite(result.im))
    throw new PyError('OverflowError', 'complex exponentiation')
  return result
}
function wholePower(a: Complex, exponent: number): Complex {
  let [result, factor] = [new Complex(1, 0), a]
  for (let left = Math.abs(exponent); left > 0; left = left >> 1) {
    if (left & 1) result = product(result, factor)
    factor = product(factor, factor)
  }
  return exponent > 0 ? result : quotient(new Complex(1, 0), result)
}
function polarPower(a: Complex, b: Complex): Complex {
  if (a.re === 0 && a.im === 0) {
    if (b.im === 0 && b.re >= 0) return new Complex(0, 0)
    throw new PyError('ZeroDivisionError', '0.0 to a negative or complex power')
  }
  const size = Math.hypot(a.re, a.im)
  const angle = Math.atan2(a.im, a.re)
  const length = size ** b.re / Math.exp(angle * b.im)
  const phase = angle * b.re + b.im * Math.log(size)
  return new Complex(length * Math.cos(phase), length * Math.sin(phase))
}
