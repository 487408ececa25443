/**
 * Arguments as PyTorch takes them: by position, or by name in an object after them; checked against
 * signatures before anything else.
 */
import { dtypeNamed } from './dtype.ts'
import { typeName } from './errors.ts'
import { isScalar, isTensor, type Tensor } from './tensor.ts'

export type OverloadBody = (...args: never[]) => unknown
export type CallableFunction = (...args: unknown[]) => unknown
/**
 * Parameters apart by commas, each `name: type`, with `?` where null is taken and `= JSON` where there is a
 * default. `...name` takes sizes in a list or one by one. A body gets the arguments in this order.
 */
export type FunctionOverload = readonly [signature: string, body: OverloadBody]

const aliases = new Map(
  Object.entries({ axis: 'dim', keepdims: 'keepdim', axes: 'dims', x1: 'input', x2: 'other' }),
)

interface ArgumentType {
  /** The name in errors. */
  spelled: string
  takes(value: unknown): boolean
  /** Converts the argument for a body. */
  read?(value: unknown, argument: string): unknown
}
/** A tensor without dimensions stands for its number. */
const isNumberTensor = (value: unknown): value is Tensor => isTensor(value) && value.ndim === 0
const isInt = (value: unknown) =>
  Number.isInteger(value) || (isNumberTensor(value) && value.dtype.category === 1)
const plain = (value: unknown) => (isTensor(value) ? value.item() : value)
/** `alone`: how often a number that is given without a list stands in it. */
const listOf = (spelled: string, alone = 0): ArgumentType => ({
  spelled,
  takes: (value) =>
    Array.isArray(value) ? value.length === 0 || isInt(value[0]) : alone > 0 && Number.isInteger(value),
  read(value, argument) {
    if (!Array.isArray(value)) return Array<unknown>(alone).fill(plain(value))
    const odd = value.findIndex((one) => !isInt(one))
    if (odd >= 0)
      throw new TypeError(
        `${argument} must be ${spelled}, but found element of type ${typeName(value[odd])} at pos ${odd + 1}`,
      )
    return value.map(plain)
  },
})
const types: Readonly<Record<string, ArgumentType>> = {
  any: { spelled: 'object', takes: () => true },
  Tensor: { spelled: 'Tensor', takes: isTensor },
  /** A number stands for a tensor. */
  operand: { spelled: 'Tensor', takes: (value) => isTensor(value) || isScalar(value) },
  // Its elements have words of their own.
  Tensors: { spelled: 'tuple of Tensors', takes: Array.isArray },
  int: { spelled: 'int', takes: isInt, read: plain },
  ints: listOf('tuple of ints'),
  /** One may stand alone. */
  dims: listOf('tuple of ints', 1),
  /** A list of one dimension stands for the dimension. */
  dim: { spelled: 'int', takes: isInt, read: (value) => [plain(value)] },
  /** One stands for both. */
  pair: listOf('tuple of ints', 2),
  sizes: listOf('tuple of SymInts'),
  bool: { spelled: 'bool', takes: (value) => typeof value === 'boolean' },
  Number: { spelled: 'Number', takes: (value) => isScalar(value) || isNumberTensor(value), read: plain },
  str: { spelled: 'str', takes: (value) => typeof value === 'string' },
  dtype: { spelled: 'torch.dtype', takes: (value) => dtypeNamed(value) !== undefined, read: dtypeNamed },
}

const required = Symbol('required')
interface SignatureParameter {
  name: string
  type: ArgumentType
  nullable: boolean
  otherwise: unknown
  rest: boolean
}
interface CallSignature {
  parameters: readonly SignatureParameter[]
  /** How many arguments there must be. */
  least: number
  body: OverloadBody
}

function parseSignature([text, body]: FunctionOverload): CallSignature {
  const parameters = (text.match(/(?:[^,[]|\[[^[\]]*\])+/g) ?? []).map((one) =>
    parseSignatureParameter(one.trimStart()),
  )
  return { parameters, least: parameters.filter(({ otherwise }) => otherwise === required).length, body }
}
function parseSignatureParameter(text: string): SignatureParameter {
  const [, rest, name, type, nullable, value] = /^(\.\.\.)?(\w+): (\w+)(\?)?(?: = (.+))?$/.exec(text)!
  return {
    name: name!,
    type: types[type!]!,
    nullable: nullable === '?',
    otherwise: value === undefined ? required : JSON.parse(value),
    rest: rest !== undefined,
  }
}

export const isOptions = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTensor(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

interface GivenArguments {
  positional: readonly unknown[]
  named: readonly (readonly [key: string, value: unknown])[]
}
function splitGivenArguments(args: readonly unknown[]): GivenArguments {
  const last = args.at(-1)
  const named = isOptions(last) ? Object.entries(last).filter(([, value]) => value !== undefined) : []
  let count = args.length - (isOptions(last) ? 1 : 0)
  while (count > 0 && args[count - 1] === undefined) count--
  return { positional: args.slice(0, count), named }
}

/**
 * A function that takes its arguments so: the first of the overloads that they fit is called. Where they fit
 * none, the TypeError is that of the one that their number fits, else it tells what was given. A method’s
 * body gets the tensor first.
 */
export function callable(
  name: string,
  overloads: readonly FunctionOverload[],
  isMethod = false,
): CallableFunction {
  // Read at the first call: a program calls few of the hundreds of functions that it loads.
  let signatures: CallSignature[] | undefined
  return function (this: unknown, ...args) {
    signatures ??= overloads.map(parseSignature)
    const actual = splitGivenArguments(args)
    const count = actual.positional.length + actual.named.length
    const faults: { fault: Error; plausible: boolean }[] = []
    for (const { parameters, least, body } of signatures) {
      const fit = fitted(name, parameters, actual)
      if (!(fit instanceof TypeError)) return (body as CallableFunction)(...(isMethod ? [this] : []), ...fit)
      const rest = parameters[0]?.rest === true
      faults.push({ fault: fit, plausible: count >= least && (rest || count <= parameters.length) })
    }
    const reported = faults.length === 1 ? faults : faults.filter(({ plausible }) => plausible)
    if (reported.length === 1) throw reported[0]!.fault
    const kinds = [
      ...actual.positional.map(typeName),
      ...actual.named.map(([key, value]) => `${key}=${typeName(value)}`),
    ]
    throw new TypeError(`${name}() received an invalid combination of arguments - got (${kinds.join(', ')})`)
  }
}

/** Fits the arguments of a body, or says why they don’t fit. */
function fitted(
  name: string,
  parameters: readonly SignatureParameter[],
  actual: GivenArguments,
): unknown[] | TypeError {
  const { named } = actual
  let { positional } = actual
  const [first] = parameters
  // Sizes one by one: all of them are the list.
  if (
    first?.rest &&
    positional.length > 0 &&
    positional[0] !== null &&
    !Array.isArray(positional[0]) &&
    first.type.takes(positional)
  )
    positional = [positional]
  if (positional.length > parameters.length)
    return new TypeError(
      `${name}() takes ${parameters.length} positional arguments but ${positional.length} were given`,
    )
  const nameOf = (key: string) => (parameters.some((one) => one.name === key) ? key : aliases.get(key))
  const values: unknown[] = []
  for (const [at, { name: parameter, type, nullable, otherwise }] of parameters.entries()) {
    const byName = named.find(([key]) => nameOf(key) === parameter)
    const value = positional[at] === undefined ? byName?.[1] : positional[at]
    const argument = `${name}(): argument '${parameter}'`
    if (value === undefined) {
      if (otherwise !== required) values.push(otherwise)
      else {
        const missing = parameters
          .slice(at)
          .filter((one) => one.otherwise === required && !named.some(([key]) => nameOf(key) === one.name))
        return new TypeError(
          `${name}() missing ${missing.length} required positional arguments: ${missing.map((one) => `"${one.name}"`).join(', ')}`,
        )
      }
    } else if (value === null && nullable) values.push(null)
    else if (type.takes(value))
      try {
        values.push(type.read ? type.read(value, argument) : value)
      } catch (error) {
        if (error instanceof TypeError) return error
        throw error
      }
    else {
      const position = at < positional.length ? ` (position ${at + 1})` : ''
      return new TypeError(`${argument}${position} must be ${type.spelled}, not ${typeName(value)}`)
    }
  }
  for (const [key] of named) {
    const at = parameters.findIndex((one) => one.name === nameOf(key))
    if (at < 0) return new TypeError(`${name}() got an unexpected keyword argument '${key}'`)
    if (positional[at] !== undefined)
      return new TypeError(`${name}() got multiple values for argument '${key}'`)
  }
  return values
}
