/** Arguments as PyTorch takes them: by position, or by name in an object after them. */
import { typeName } from './errors.ts'
import { isTensor } from './tensor.ts'

export type Body = (...args: never[]) => unknown
export type Callable = (...args: unknown[]) => unknown

const aliases: Readonly<Record<string, string>> = { axis: 'dim', keepdims: 'keepdim', axes: 'dims', x1: 'input', x2: 'other' }
const required = Symbol('required')

export const isOptions = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTensor(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * A function that takes its arguments so. `signature`: names apart by commas, `name=JSON` where one has a default,
 * `...name` for sizes that may stand in a list or one by one.
 */
export function callable(name: string, signature: string, body: Body): Callable {
  const parameters = signature.split(/,\s*(?![^[]*\])/).filter((text) => text !== '')
  const rest = parameters.findIndex((text) => text.startsWith('...'))
  const names = parameters.map((text) => text.replace('...', '').split('=')[0]!.trim())
  const defaults = parameters.map((text): unknown => (text.includes('=') ? JSON.parse(text.slice(text.indexOf('=') + 1)) : required))
  const known = (key: string) =>
    names.includes(key) ? key : aliases[key] !== undefined && names.includes(aliases[key]) ? aliases[key] : undefined
  return (...args) => {
    const values: unknown[] = names.map(() => undefined)
    let given = args
    const last = args[args.length - 1]
    if (isOptions(last)) {
      given = args.slice(0, -1)
      for (const [key, value] of Object.entries(last)) {
        const found = known(key)
        if (found === undefined) throw new TypeError(`${name}() got an unexpected keyword argument '${key}'`)
        const at = names.indexOf(found)
        if (at < given.length && rest !== at) throw new TypeError(`${name}() got multiple values for argument '${key}'`)
        values[at] = value
      }
    }
    if (rest >= 0 && given.length > rest) {
      const sizes = given.slice(rest)
      if (Array.isArray(sizes[0]) || sizes[0] === null) {
        values[rest] = sizes[0]
        given = [...given.slice(0, rest), sizes[0], ...sizes.slice(1)]
      } else {
        values[rest] = sizes
        given = given.slice(0, rest)
      }
    }
    while (given.length > 0 && given[given.length - 1] === undefined) given = given.slice(0, -1)
    if (given.length > names.length)
      throw new TypeError(`${name}() takes ${names.length} positional arguments but ${given.length} were given`)
    given.forEach((value, at) => {
      if (value !== undefined) values[at] = value
    })
    const missing: string[] = []
    values.forEach((value, at) => {
      if (value !== undefined) return
      if (defaults[at] === required) missing.push(`"${names[at]}"`)
      else values[at] = defaults[at]
    })
    if (missing.length > 0) throw new TypeError(`${name}() missing ${missing.length} required positional arguments: ${missing.join(', ')}`)
    return (body as Callable)(...values)
  }
}

export function int(value: unknown, name: string, parameter: string, position: number): number {
  if (Number.isInteger(value)) return value as number
  throw new TypeError(`${name}(): argument '${parameter}' (position ${position}) must be int, not ${typeName(value)}`)
}
export function ints(value: unknown, name: string, parameter: string, position: number, kind = 'ints'): number[] {
  if (Array.isArray(value) && value.every((one) => Number.isInteger(one))) return value as number[]
  throw new TypeError(`${name}(): argument '${parameter}' (position ${position}) must be tuple of ${kind}, not ${typeName(value)}`)
}
