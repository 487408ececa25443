/** The shape of a value: what a reader needs to know of it where the value itself stays hidden. */
import { describeType } from './json.ts'
import { describeTensor, isTensorLike } from './tensor/value.ts'

const maxDepth = 8
const isIdentifier = (key: string) => /^[A-Za-z_$][\w$]*$/.test(key)

/**
 * A type as TypeScript writes it: `{ title: string; tags: string[] }`; of a tensor its dtype and shape. Below
 * eight levels, a value is `unknown`.
 */
export function describeShape(value: unknown, depth = 0): string {
  if (isTensorLike(value)) return describeTensor(value.$tensor as { dtype: string; shape: number[] })
  if (value === null || typeof value !== 'object') return describeType(value)
  if (depth === maxDepth) return 'unknown'
  if (Array.isArray(value)) {
    const shapes = [...new Set(value.map((item) => describeShape(item, depth + 1)))].sort()
    const [only = 'unknown', ...others] = shapes
    return others.length > 0 ? `(${shapes.join(' | ')})[]` : `${only}[]`
  }
  const members = Object.entries(value).map(
    ([key, item]) => `${isIdentifier(key) ? key : JSON.stringify(key)}: ${describeShape(item, depth + 1)}`,
  )
  return members.length > 0 ? `{ ${members.join('; ')} }` : '{}'
}
