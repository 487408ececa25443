/** Element types, and which one comes of several, by PyTorch’s rules of promotion. */

export type DtypeName = 'float32' | 'float64' | 'int64' | 'int32' | 'bool'

/** torch.float32 and its like: one object each. */
export class Dtype {
  readonly name: DtypeName
  readonly bytes: number
  /** The name in error messages. */
  readonly title: string
  /** 0 bool, 1 integers, 2 floating. */
  readonly category: 0 | 1 | 2
  constructor(name: DtypeName, bytes: number, title: string, category: 0 | 1 | 2) {
    this.name = name
    this.bytes = bytes
    this.title = title
    this.category = category
  }
  get is_floating_point() {
    return this.category === 2
  }
  get itemsize() {
    return this.bytes
  }
  toString() {
    return `torch.${this.name}`
  }
  toJSON() {
    return `torch.${this.name}`
  }
}

export const float32 = new Dtype('float32', 4, 'Float', 2)
export const float64 = new Dtype('float64', 8, 'Double', 2)
export const int64 = new Dtype('int64', 8, 'Long', 1)
export const int32 = new Dtype('int32', 4, 'Int', 1)
export const bool = new Dtype('bool', 1, 'Bool', 0)
export const dtypes: Readonly<Record<DtypeName, Dtype>> = { float32, float64, int64, int32, bool }

/** Types of PyTorch that no tensor here has: programs may compare with them, functions refuse them. */
class OtherDtype {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  toString() {
    return `torch.${this.name}`
  }
}
const others = ['float16', 'bfloat16', 'int16', 'int8', 'uint8', 'complex64', 'complex128']
export const unsupported: Readonly<Record<string, unknown>> = (() => {
  const byName = Object.fromEntries(others.map((name) => [name, new OtherDtype(name)]))
  return { ...byName, half: byName['float16'], short: byName['int16'] }
})()

/** A type, or that of a name with or without `torch.` before it; undefined where it is none. */
export function dtypeNamed(value: unknown): Dtype | undefined {
  if (value instanceof Dtype) return value
  const name =
    value instanceof OtherDtype ? value.name : typeof value === 'string' ? value.replace(/^torch\./, '') : ''
  if (others.includes(name))
    throw new TypeError(
      `tensors of torch.${name} are not supported here; supported are ${Object.keys(dtypes).join(', ')}`,
    )
  return Object.hasOwn(dtypes, name) ? dtypes[name as DtypeName] : undefined
}

/**
 * An operand's weight for the result's type: tensors with dimensions count most, those without less, numbers
 * of the language least.
 */
export interface DtypeOperand {
  dtype: Dtype
  rank: 0 | 1 | 2
}

const promoted = (a: Dtype, b: Dtype): Dtype => {
  if (a === b) return a
  const [low, high] = a.category < b.category ? [a, b] : [b, a]
  if (low.category < high.category) return high
  return a.bytes > b.bytes ? a : b
}

export function resultType(operands: readonly DtypeOperand[]): Dtype {
  const of = (rank: number) =>
    operands.reduce<Dtype | undefined>(
      (type, { dtype, rank: ownRank }) => (ownRank !== rank ? type : type ? promoted(type, dtype) : dtype),
      undefined,
    )
  return combined(of(2), combined(of(1), of(0)))!
}
/** A lower rank counts only where it is of a higher category. */
const combined = (higher: Dtype | undefined, lower: Dtype | undefined): Dtype | undefined => {
  if (!higher || !lower) return higher ?? lower
  return lower.category > higher.category ? lower : higher
}
