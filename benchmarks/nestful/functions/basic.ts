/** The 40 basic functions of version 2, with the semantics that are documented of them. */
import type { Py } from '../python/value.ts'
import { add, divide, multiply, negate, power, type Scalar, scalar, subtract } from './complex.ts'
import { PyError, Unavailable } from './errors.ts'
import * as py from './numbers.ts'
import { num, type Num } from './numbers.ts'
import { isLess, iterated } from './order.ts'

export interface PyFunction {
  /** Names of its parameters, in order. */
  parameters: readonly string[]
  /** How many must be given. */
  required: number
  call(...args: Py[]): Py
  /** Steps that it takes besides those of its arguments and its result. */
  cost?: (...args: Py[]) => number
}

const fn = (parameters: string, call: (...args: Py[]) => Py, required?: number): PyFunction => {
  const names = parameters.split(' ')
  return { parameters: names, required: required ?? names.length, call }
}
/** One that multiplies as many integers as its first argument says. */
const multiplying = (parameters: string, call: (...args: Py[]) => Py): PyFunction => ({
  ...fn(parameters, call),
  cost: (n) => (typeof n === 'bigint' && n > 0n && n <= py.maxFactors ? Number(n) : 1),
})
const { PI, sqrt } = Math
const one = (name: string, parameter: string, of: (x: Num) => Py) => fn(parameter, (x) => of(num(x, name)))
const two = (name: string, parameters: string, of: (a: Num, b: Num) => Py) =>
  fn(parameters, (a, b) => of(num(a, name), num(b, name)))
/** The same of functions that take complex numbers. */
const any = (name: string, parameter: string, of: (x: Scalar) => Py) =>
  fn(parameter, (x) => of(scalar(x, name)))
const both = (name: string, parameters: string, of: (a: Scalar, b: Scalar) => Py) =>
  fn(parameters, (a, b) => of(scalar(a, name), scalar(b, name)))
const square = (x: Scalar) => multiply(x, x)
const nonNegative = (x: number) => {
  if (x < 0) throw new PyError('ValueError', 'math domain error')
  return x
}

/** The most items of a repeated list or text. */
const maxRepeated = 1_000_000

/** * also repeats texts and lists, as Python's does. */
function times(a: Py, b: Py): Py {
  const [series, count] = typeof a === 'string' || Array.isArray(a) ? [a, b] : [b, a]
  if (typeof series !== 'string' && !Array.isArray(series)) return multiply(scalar(a, '*'), scalar(b, '*'))
  const times = Number(py.int(count, '*'))
  const n = series.length === 0 ? 0 : Math.max(0, times)
  if (n * series.length > maxRepeated)
    throw new Unavailable(`the repeated value would have more than ${maxRepeated} items`)
  return typeof series === 'string' ? series.repeat(n) : Array.from({ length: n }, () => series).flat()
}

/** + also joins texts and lists, as Python's does. */
function plus(a: Py, b: Py): Py {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  return add(scalar(a, '+'), scalar(b, '+'))
}

/** @param isBetter whether the first is to be taken in the place of the second. */
function extreme(values: Py, name: string, isBetter: (a: Py, b: Py) => boolean): Py {
  const items = iterated(values)
  if (items.length === 0) throw new PyError('ValueError', `${name}() arg is an empty sequence`)
  return items.reduce((best, item) => (isBetter(item, best) ? item : best))
}

function logarithm(x: Num, base: Num): bigint {
  const [value, below] = [py.float(x), py.float(base)]
  if (value <= 0 || below <= 0) throw new PyError('ValueError', 'math domain error')
  const divisor = Math.log(below)
  if (divisor === 0) throw new PyError('ZeroDivisionError', 'float division by zero')
  return py.toInt(Math.log(value) / divisor)
}

function counted(n: Py, r: Py, name: string): [bigint, bigint] {
  const [from, count] = [py.int(n, name), py.int(r, name)]
  if (from < 0n || count < 0n) throw new PyError('ValueError', `${name} must be non-negative`)
  return [from, count]
}

const remainder = fn('a b', (a, b) => {
  if (typeof a === 'string' && (a.includes('%') || typeof b === 'object'))
    throw new Unavailable('% formats a text in Python')
  return py.modulo(num(a, '%'), num(b, '%'))
})

export const basicFunctions: Readonly<Record<string, PyFunction>> = {
  add: fn('arg_0 arg_1', (a, b) => plus(a, b)),
  subtract: both('-', 'arg_0 arg_1', subtract),
  multiply: fn('arg_0 arg_1', times),
  divide: both('/', 'arg_0 arg_1', divide),
  power: both('**', 'base exponent', power),
  sqrt: fn('num', (x) => py.integerRoot(py.int(x, 'isqrt'))),
  log: fn('x base', (x, base) => logarithm(num(x, 'log'), base === undefined ? Math.E : num(base, 'log')), 1),
  floor: one('floor', 'x', py.floor),
  remainder,
  reminder: remainder,
  gcd: fn('arg_0 arg_1', (a, b) => py.gcd(py.toInt(a), py.toInt(b))),
  lcm: fn('a b', (a, b) => {
    const size = py.multiply(num(a, '*'), num(b, '*'))
    return py.floorDivide(size < 0 ? py.subtract(0n, size) : size, py.gcd(py.toInt(a), py.toInt(b)))
  }),
  factorial: multiplying('n', (n) => {
    const top = py.int(n, 'factorial')
    if (top < 0n) throw new PyError('ValueError', 'factorial() not defined for negative values')
    return py.product(2n, top)
  }),
  choose: multiplying('n r', (n, r) => {
    const [from, count] = counted(n, r, 'choose')
    if (count > from) return 0n
    const fewer = count < from - count ? count : from - count
    return py.product(from - fewer + 1n, from) / py.product(2n, fewer)
  }),
  permutation: multiplying('n r', (n, r) => {
    const [from, count] = counted(n, r, 'permutation')
    return count > from ? 0n : py.product(from - count + 1n, from)
  }),
  negate: any('-', 'number', negate),
  inverse: any('/', 'number', (x) => divide(1n, x)),
  negate_prob: any('-', 'prob', (x) => subtract(1n, x)),
  max_number: fn('numbers', (list) => extreme(list, 'max', (a, b) => isLess(b, a))),
  min_number: fn('numbers', (list) => extreme(list, 'min', isLess)),
  speed: both('/', 'distance time', divide),
  circle_area: any('*', 'radius', (r) => multiply(PI, square(r))),
  circumface: any('*', 'radius', (r) => multiply(2 * PI, r)),
  surface_sphere: any('*', 'radius', (r) => multiply(4 * PI, square(r))),
  volume_sphere: any('*', 'radius', (r) => multiply((4 / 3) * PI, power(r, 3n))),
  volume_cylinder: both('*', 'radius height', (r, h) => multiply(multiply(PI, square(r)), h)),
  volume_cone: both('*', 'radius height', (r, h) => multiply(multiply((1 / 3) * PI, square(r)), h)),
  surface_cylinder: both('*', 'radius height', (r, h) => multiply(multiply(2 * PI, r), add(r, h))),
  volume_cube: any('**', 'side_length', (side) => power(side, 3n)),
  surface_cube: any('*', 'side_length', (side) => multiply(6n, square(side))),
  cube_edge_by_volume: any('**', 'volume', (volume) => power(volume, 1 / 3)),
  square_area: any('**', 'side', square),
  square_perimeter: fn('side_length', (side) => times(4n, side)),
  square_edge_by_area: one('sqrt', 'area', (area) => sqrt(nonNegative(py.float(area)))),
  square_edge_by_perimeter: any('/', 'perimeter', (perimeter) => divide(perimeter, 4n)),
  rectangle_area: fn('length width', times),
  rectangle_perimeter: fn('length width', (a, b) => times(2n, plus(a, b))),
  diagonal: two('sqrt', 'length width', (a, b) =>
    sqrt(py.float(py.add(py.multiply(a, a), py.multiply(b, b)))),
  ),
  rhombus_area: both('*', 'diagonal1 diagonal2', (a, b) => divide(multiply(a, b), 2n)),
  triangle_area: both('*', 'base height', (a, b) => divide(multiply(a, b), 2n)),
}
