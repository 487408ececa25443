/**
 * Arithmetic of numbers one of which may be complex. The published functions are Python's operators, so a
 * root of a negative number is complex and goes on through the calls behind it: `c - c` equals a gold 0.
 * Formulas as CPython has them; the last digits are the mathematics library's.
 */
import { PyComplex, type PyValue } from '../python/value.ts'
import { PyError } from './errors.ts'
import * as py from './numbers.ts'
import { type PyNumber, requireNumber } from './numbers.ts'

export type ScalarNumber = PyNumber | PyComplex

/** A number, complex ones too, or a TypeError in Python's words. */
export const requireScalar = (value: PyValue, operation: string): ScalarNumber =>
  value instanceof PyComplex ? value : requireNumber(value, operation)

type ComplexOperation = (a: PyComplex, b: PyComplex) => PyComplex
const either =
  (real: (a: PyNumber, b: PyNumber) => PyNumber, complex: ComplexOperation) =>
  (a: ScalarNumber, b: ScalarNumber): ScalarNumber =>
    a instanceof PyComplex || b instanceof PyComplex ? complex(toComplex(a), toComplex(b)) : real(a, b)
const toComplex = (value: ScalarNumber): PyComplex =>
  value instanceof PyComplex ? value : new PyComplex(py.convertFloat(value), 0)

export const add = either(py.add, (a, b) => new PyComplex(a.re + b.re, a.im + b.im))
export const subtract = either(py.subtractNumbers, (a, b) => new PyComplex(a.re - b.re, a.im - b.im))
export const multiply = either(py.multiplyNumbers, multiplyComplex)
export const divide = either(py.divideNumbers, divideComplex)
export const negateScalar = (value: ScalarNumber): ScalarNumber =>
  value instanceof PyComplex ? new PyComplex(-value.re, -value.im) : -value

/** a ** b. */
export function raiseScalar(a: ScalarNumber, b: ScalarNumber): ScalarNumber {
  if (a instanceof PyComplex || b instanceof PyComplex || py.isComplexPower(a, b))
    return raiseComplex(toComplex(a), toComplex(b))
  return py.raiseNumber(a, b)
}

function multiplyComplex(a: PyComplex, b: PyComplex): PyComplex {
  return new PyComplex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/** Smith's way, which divides by the larger part first. */
function divideComplex(a: PyComplex, b: PyComplex): PyComplex {
  if (b.re === 0 && b.im === 0) throw new PyError('ZeroDivisionError', 'complex division by zero')
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im / b.re
    const below = b.re + b.im * ratio
    return new PyComplex((a.re + a.im * ratio) / below, (a.im - a.re * ratio) / below)
  }
  const ratio = b.re / b.im
  const below = b.re * ratio + b.im
  return new PyComplex((a.re * ratio + a.im) / below, (a.im * ratio - a.re) / below)
}

/** Exponents that are whole and no larger are multiplied out. */
const maxMultiplied = 100

function raiseComplex(a: PyComplex, b: PyComplex): PyComplex {
  const isWhole = b.im === 0 && Number.isInteger(b.re) && Math.abs(b.re) <= maxMultiplied
  const result = isWhole ? raiseWhole(a, b.re) : raisePolar(a, b)
  if (!Number.isFinite(result.re) || !Number.isFinite(result.im))
    throw new PyError('OverflowError', 'complex exponentiation')
  return result
}
function raiseWhole(a: PyComplex, exponent: number): PyComplex {
  let [result, factor] = [new PyComplex(1, 0), a]
  for (let left = Math.abs(exponent); left > 0; left = left >> 1) {
    if (left & 1) result = multiplyComplex(result, factor)
    factor = multiplyComplex(factor, factor)
  }
  return exponent > 0 ? result : divideComplex(new PyComplex(1, 0), result)
}
function raisePolar(a: PyComplex, b: PyComplex): PyComplex {
  if (a.re === 0 && a.im === 0) {
    if (b.im === 0 && b.re >= 0) return new PyComplex(0, 0)
    throw new PyError('ZeroDivisionError', '0.0 to a negative or complex power')
  }
  const size = Math.hypot(a.re, a.im)
  const angle = Math.atan2(a.im, a.re)
  const length = size ** b.re / Math.exp(angle * b.im)
  const phase = angle * b.re + b.im * Math.log(size)
  return new PyComplex(length * Math.cos(phase), length * Math.sin(phase))
}
