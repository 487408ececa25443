/** The 40 basic functions of version 2, with the semantics that are documented of them. */
import type { Py } from '../python/value.ts'
import { PyError, typeError, Unavailable } from './errors.ts'
import * as py from './numbers.ts'
import { kindOf, num, type Num } from './numbers.ts'

export interface PyFunction {
  /** Names of its parameters, in order. */
  parameters: readonly string[]
  /** How many must be given. */
  required: number
  call(...args: Py[]): Py
}

const fn = (parameters: string, call: (...args: Py[]) => Py, required?: number): PyFunction => {
  const names = parameters.split(' ')
  return { parameters: names, required: required ?? names.length, call }
}
const { PI, sqrt } = Math
const one = (name: string, parameter: string, of: (x: Num) => Py) => fn(parameter, (x) => of(num(x, name)))
const two = (name: string, parameters: string, of: (a: Num, b: Num) => Py) =>
  fn(parameters, (a, b) => of(num(a, name), num(b, name)))
const square = (x: Num) => py.multiply(x, x)
const nonNegative = (x: number) => {
  if (x < 0) throw new PyError('ValueError', 'math domain error')
  return x
}

/** A text whose order as UTF-16 is Python's, by code points. */
const codes = (text: string) =>
  text.replace(/[\ud800-\udfff\ue000-\uffff]/g, (unit) =>
    String.fromCharCode(unit <= '\udfff' ? unit.charCodeAt(0) + 0x2000 : unit.charCodeAt(0) - 0x800),
  )

/** As many units, texts and lists may be repeated to. */
const maxRepeated = 1_000_000

/** * also repeats texts and lists, as Python's does. */
function times(a: Py, b: Py): Py {
  const [series, count] = typeof a === 'string' || Array.isArray(a) ? [a, b] : [b, a]
  if (typeof series !== 'string' && !Array.isArray(series)) return py.multiply(num(a, '*'), num(b, '*'))
  const n = Math.max(0, Number(py.int(count, '*')))
  if (n * series.length > maxRepeated)
    throw new Unavailable(`what is repeated would have more than ${maxRepeated} items`)
  return typeof series === 'string' ? series.repeat(n) : Array.from({ length: n }, () => series).flat()
}

/** + also joins texts and lists, as Python's does. */
function plus(a: Py, b: Py): Py {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  return py.add(num(a, '+'), num(b, '+'))
}

function extreme(list: Py, name: string, isBetter: (a: Num | string, b: Num | string) => boolean): Py {
  if (!Array.isArray(list)) return typeError(`'${kindOf(list)}' object is not iterable`)
  if (list.length === 0) throw new PyError('ValueError', `${name}() arg is an empty sequence`)
  let best: Py = list[0]!
  // Texts are compared with texts, by code points: a reference within a list stays a text.
  const isText = list.every((item) => typeof item === 'string')
  for (const item of list)
    if (
      isText
        ? isBetter(codes(item as string), codes(best as string))
        : isBetter(num(item, name), num(best, name))
    )
      best = item
  return best
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

const remainder = two('%', 'a b', py.modulo)

export const basicFunctions: Readonly<Record<string, PyFunction>> = {
  add: fn('arg_0 arg_1', (a, b) => plus(a, b)),
  subtract: two('-', 'arg_0 arg_1', py.subtract),
  multiply: fn('arg_0 arg_1', times),
  divide: two('/', 'arg_0 arg_1', py.divide),
  power: two('**', 'base exponent', py.power),
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
  factorial: fn('n', (n) => {
    const top = py.int(n, 'factorial')
    if (top < 0n) throw new PyError('ValueError', 'factorial() not defined for negative values')
    return py.product(2n, top)
  }),
  choose: fn('n r', (n, r) => {
    const [from, count] = counted(n, r, 'choose')
    if (count > from) return 0n
    const fewer = count < from - count ? count : from - count
    return py.product(from - fewer + 1n, from) / py.product(2n, fewer)
  }),
  permutation: fn('n r', (n, r) => {
    const [from, count] = counted(n, r, 'permutation')
    return count > from ? 0n : py.product(from - count + 1n, from)
  }),
  negate: one('-', 'number', (x) => (typeof x === 'bigint' ? -x : -x)),
  inverse: one('/', 'number', (x) => py.divide(1n, x)),
  negate_prob: one('-', 'prob', (x) => py.subtract(1n, x)),
  max_number: fn('numbers', (list) => extreme(list, 'max', (a, b) => a > b)),
  min_number: fn('numbers', (list) => extreme(list, 'min', (a, b) => a < b)),
  speed: two('/', 'distance time', py.divide),
  circle_area: one('*', 'radius', (r) => PI * py.float(square(r))),
  circumface: one('*', 'radius', (r) => 2 * PI * py.float(r)),
  surface_sphere: one('*', 'radius', (r) => 4 * PI * py.float(square(r))),
  volume_sphere: one('*', 'radius', (r) => (4 / 3) * PI * py.float(py.power(r, 3n))),
  volume_cylinder: two('*', 'radius height', (r, h) => PI * py.float(square(r)) * py.float(h)),
  volume_cone: two('*', 'radius height', (r, h) => (1 / 3) * PI * py.float(square(r)) * py.float(h)),
  surface_cylinder: two('*', 'radius height', (r, h) => 2 * PI * py.float(r) * py.float(py.add(r, h))),
  volume_cube: one('**', 'side_length', (side) => py.power(side, 3n)),
  surface_cube: one('*', 'side_length', (side) => py.multiply(6n, square(side))),
  cube_edge_by_volume: one('**', 'volume', (volume) => py.power(volume, 1 / 3)),
  square_area: one('**', 'side', square),
  square_perimeter: one('*', 'side_length', (side) => py.multiply(4n, side)),
  square_edge_by_area: one('sqrt', 'area', (area) => sqrt(nonNegative(py.float(area)))),
  square_edge_by_perimeter: one('/', 'perimeter', (perimeter) => py.divide(perimeter, 4n)),
  rectangle_area: fn('length width', times),
  rectangle_perimeter: two('*', 'length width', (a, b) => py.multiply(2n, py.add(a, b))),
  diagonal: two('sqrt', 'length width', (a, b) => sqrt(py.float(py.add(square(a), square(b))))),
  rhombus_area: two('*', 'diagonal1 diagonal2', (a, b) => py.divide(py.multiply(a, b), 2n)),
  triangle_area: two('*', 'base height', (a, b) => py.divide(py.multiply(a, b), 2n)),
}
