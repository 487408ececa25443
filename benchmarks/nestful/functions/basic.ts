/** The 40 basic functions of version 2, with the semantics that are documented of them. */
import type { PyValue } from '../python/value.ts'
import {
  add,
  divide,
  multiply,
  negateScalar,
  raiseScalar,
  type ScalarNumber,
  requireScalar,
  subtract,
} from './complex.ts'
import { PyError, UnavailableError } from './errors.ts'
import * as py from './numbers.ts'
import { requireNumber, type PyNumber } from './numbers.ts'
import { isLess, iteratePy } from './order.ts'

export interface PyFunction {
  /** Names of its parameters, in order. */
  parameters: readonly string[]
  /** How many must be given. */
  required: number
  call(...args: PyValue[]): PyValue
  /** Steps that it takes besides those of its arguments and its result. */
  cost?: (...args: PyValue[]) => number
}

const defineFunction = (
  parameters: string,
  call: (...args: PyValue[]) => PyValue,
  required?: number,
): PyFunction => {
  const names = parameters.split(' ')
  return { parameters: names, required: required ?? names.length, call }
}
/** One that multiplies as many integers as its first argument says. */
const defineMultiplying = (parameters: string, call: (...args: PyValue[]) => PyValue): PyFunction => ({
  ...defineFunction(parameters, call),
  cost: (n) => (typeof n === 'bigint' && n > 0n && n <= py.maxFactors ? Number(n) : 1),
})
const { PI, sqrt } = Math
const defineUnary = (name: string, parameter: string, of: (x: PyNumber) => PyValue) =>
  defineFunction(parameter, (x) => of(requireNumber(x, name)))
const defineBinary = (name: string, parameters: string, of: (a: PyNumber, b: PyNumber) => PyValue) =>
  defineFunction(parameters, (a, b) => of(requireNumber(a, name), requireNumber(b, name)))
/** The same of functions that take complex numbers. */
const defineAnyUnary = (name: string, parameter: string, of: (x: ScalarNumber) => PyValue) =>
  defineFunction(parameter, (x) => of(requireScalar(x, name)))
const defineScalarBinary = (
  name: string,
  parameters: string,
  of: (a: ScalarNumber, b: ScalarNumber) => PyValue,
) => defineFunction(parameters, (a, b) => of(requireScalar(a, name), requireScalar(b, name)))
const computeSquare = (x: ScalarNumber) => multiply(x, x)
const requireNonNegative = (x: number) => {
  if (x < 0) throw new PyError('ValueError', 'math domain error')
  return x
}

/** The most items of a repeated list or text. */
const maxRepeated = 1_000_000

/** * also repeats texts and lists, as Python's does. */
function multiplyAny(a: PyValue, b: PyValue): PyValue {
  const [series, count] = typeof a === 'string' || Array.isArray(a) ? [a, b] : [b, a]
  if (typeof series !== 'string' && !Array.isArray(series))
    return multiply(requireScalar(a, '*'), requireScalar(b, '*'))
  const times = Number(py.requireInt(count, '*'))
  const n = series.length === 0 ? 0 : Math.max(0, times)
  if (n * series.length > maxRepeated)
    throw new UnavailableError(`the repeated value would have more than ${maxRepeated} items`)
  return typeof series === 'string' ? series.repeat(n) : Array.from({ length: n }, () => series).flat()
}

/** + also joins texts and lists, as Python's does. */
function addAny(a: PyValue, b: PyValue): PyValue {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  return add(requireScalar(a, '+'), requireScalar(b, '+'))
}

/** @param isBetter whether the first is to be taken in the place of the second. */
function findExtremeValue(
  values: PyValue,
  name: string,
  isBetter: (a: PyValue, b: PyValue) => boolean,
): PyValue {
  const items = iteratePy(values)
  if (items.length === 0) throw new PyError('ValueError', `${name}() arg is an empty sequence`)
  return items.reduce((best, item) => (isBetter(item, best) ? item : best))
}

function computeLogarithm(x: PyNumber, base: PyNumber): bigint {
  const [value, below] = [py.convertFloat(x), py.convertFloat(base)]
  if (value <= 0 || below <= 0) throw new PyError('ValueError', 'math domain error')
  const divisor = Math.log(below)
  if (divisor === 0) throw new PyError('ZeroDivisionError', 'float division by zero')
  return py.toInt(Math.log(value) / divisor)
}

function readCounts(n: PyValue, r: PyValue, name: string): [bigint, bigint] {
  const [from, count] = [py.requireInt(n, name), py.requireInt(r, name)]
  if (from < 0n || count < 0n) throw new PyError('ValueError', `${name} must be non-negative`)
  return [from, count]
}

const remainder = defineFunction('a b', (a, b) => {
  if (typeof a === 'string' && (a.includes('%') || typeof b === 'object'))
    throw new UnavailableError('% formats a text in Python')
  return py.computeModulo(requireNumber(a, '%'), requireNumber(b, '%'))
})

export const basicFunctions: Readonly<Record<string, PyFunction>> = {
  add: defineFunction('arg_0 arg_1', (a, b) => addAny(a, b)),
  subtract: defineScalarBinary('-', 'arg_0 arg_1', subtract),
  multiply: defineFunction('arg_0 arg_1', multiplyAny),
  divide: defineScalarBinary('/', 'arg_0 arg_1', divide),
  power: defineScalarBinary('**', 'base exponent', raiseScalar),
  sqrt: defineFunction('num', (x) => py.computeIntegerRoot(py.requireInt(x, 'isqrt'))),
  log: defineFunction(
    'x base',
    (x, base) =>
      computeLogarithm(requireNumber(x, 'log'), base === undefined ? Math.E : requireNumber(base, 'log')),
    1,
  ),
  floor: defineUnary('floor', 'x', py.floorNumber),
  remainder,
  reminder: remainder,
  gcd: defineFunction('arg_0 arg_1', (a, b) => py.computeBigGcd(py.toInt(a), py.toInt(b))),
  lcm: defineFunction('a b', (a, b) => {
    const size = py.multiplyNumbers(requireNumber(a, '*'), requireNumber(b, '*'))
    return py.divideFloor(
      size < 0 ? py.subtractNumbers(0n, size) : size,
      py.computeBigGcd(py.toInt(a), py.toInt(b)),
    )
  }),
  factorial: defineMultiplying('n', (n) => {
    const top = py.requireInt(n, 'factorial')
    if (top < 0n) throw new PyError('ValueError', 'factorial() not defined for negative values')
    return py.multiplyRange(2n, top)
  }),
  choose: defineMultiplying('n r', (n, r) => {
    const [from, count] = readCounts(n, r, 'choose')
    if (count > from) return 0n
    const fewer = count < from - count ? count : from - count
    return py.multiplyRange(from - fewer + 1n, from) / py.multiplyRange(2n, fewer)
  }),
  permutation: defineMultiplying('n r', (n, r) => {
    const [from, count] = readCounts(n, r, 'permutation')
    return count > from ? 0n : py.multiplyRange(from - count + 1n, from)
  }),
  negate: defineAnyUnary('-', 'number', negateScalar),
  inverse: defineAnyUnary('/', 'number', (x) => divide(1n, x)),
  negate_prob: defineAnyUnary('-', 'prob', (x) => subtract(1n, x)),
  max_number: defineFunction('numbers', (list) => findExtremeValue(list, 'max', (a, b) => isLess(b, a))),
  min_number: defineFunction('numbers', (list) => findExtremeValue(list, 'min', isLess)),
  speed: defineScalarBinary('/', 'distance time', divide),
  circle_area: defineAnyUnary('*', 'radius', (r) => multiply(PI, computeSquare(r))),
  circumface: defineAnyUnary('*', 'radius', (r) => multiply(2 * PI, r)),
  surface_sphere: defineAnyUnary('*', 'radius', (r) => multiply(4 * PI, computeSquare(r))),
  volume_sphere: defineAnyUnary('*', 'radius', (r) => multiply((4 / 3) * PI, raiseScalar(r, 3n))),
  volume_cylinder: defineScalarBinary('*', 'radius height', (r, h) =>
    multiply(multiply(PI, computeSquare(r)), h),
  ),
  volume_cone: defineScalarBinary('*', 'radius height', (r, h) =>
    multiply(multiply((1 / 3) * PI, computeSquare(r)), h),
  ),
  surface_cylinder: defineScalarBinary('*', 'radius height', (r, h) =>
    multiply(multiply(2 * PI, r), add(r, h)),
  ),
  volume_cube: defineAnyUnary('**', 'side_length', (side) => raiseScalar(side, 3n)),
  surface_cube: defineAnyUnary('*', 'side_length', (side) => multiply(6n, computeSquare(side))),
  cube_edge_by_volume: defineAnyUnary('**', 'volume', (volume) => raiseScalar(volume, 1 / 3)),
  square_area: defineAnyUnary('**', 'side', computeSquare),
  square_perimeter: defineFunction('side_length', (side) => multiplyAny(4n, side)),
  square_edge_by_area: defineUnary('sqrt', 'area', (area) => sqrt(requireNonNegative(py.convertFloat(area)))),
  square_edge_by_perimeter: defineAnyUnary('/', 'perimeter', (perimeter) => divide(perimeter, 4n)),
  rectangle_area: defineFunction('length width', multiplyAny),
  rectangle_perimeter: defineFunction('length width', (a, b) => multiplyAny(2n, addAny(a, b))),
  diagonal: defineBinary('sqrt', 'length width', (a, b) =>
    sqrt(py.convertFloat(py.add(py.multiplyNumbers(a, a), py.multiplyNumbers(b, b)))),
  ),
  rhombus_area: defineScalarBinary('*', 'diagonal1 diagonal2', (a, b) => divide(multiply(a, b), 2n)),
  triangle_area: defineScalarBinary('*', 'base height', (a, b) => divide(multiply(a, b), 2n)),
}
