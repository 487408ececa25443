/** Comparison of a predicted answer with an actual one, up to a renaming of what only the server knows. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonValue } from '@stateeval/contracts'
import { formatPointer } from './pointer.ts'
import { getUnknownKind, unknownNames, hasUnknown } from './unknown.ts'

/** A value among those that names of the same collection may not share. */
const formatScopedValue = (name: string, value: JsonValue) =>
  `${name.slice(0, Math.max(0, name.lastIndexOf('@')))} ${JSON.stringify(value)}`

/** The actual values of the names in predictions. Ids and tokens differ from each other; clocks may agree. */
export class ServerNames {
  private readonly values: Map<string, JsonValue>
  private readonly names: Map<string, string>
  constructor(from?: ServerNames) {
    this.values = new Map(from?.values)
    this.names = new Map(from?.names)
  }

  /** Replaces names by their values; a name without a value stays. */
  resolve(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      const known = this.values.get(value)
      if (known !== undefined) return known
      return hasUnknown(value)
        ? value.replaceAll(unknownNames, (name) => String(this.values.get(name) ?? name))
        : value
    }
    if (Array.isArray(value)) return value.map((item) => this.resolve(item))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.resolve(member)]))
  }

  /** Lets another name have the value: some servers give the ids of deleted items again. */
  release(name: string): void {
    const value = this.values.get(name)
    if (value !== undefined && this.names.get(formatScopedValue(name, value)) === name)
      this.names.delete(formatScopedValue(name, value))
  }

  /** Tells whether the names in a value mean what they meant first: no other name has got their values. */
  isCurrent(value: JsonValue): boolean {
    if (typeof value === 'string') {
      const known = this.values.get(value)
      const name = known === undefined ? undefined : this.names.get(formatScopedValue(value, known))
      return name === undefined || name === value
    }
    return (
      typeof value !== 'object' ||
      value === null ||
      Object.values(value).every((member) => this.isCurrent(member))
    )
  }

  /** Binds a name to a value; false if either is bound to another. */
  bind(name: string, value: JsonValue): boolean {
    const known = this.values.get(name)
    if (known !== undefined) return isDeepStrictEqual(known, value)
    if (getUnknownKind(name) !== 'clock') {
      const text = formatScopedValue(name, value)
      if (value === null || this.names.has(text)) return false
      this.names.set(text, name)
    }
    this.values.set(name, value)
    return true
  }
}

export interface AnswerDifference {
  /** A JSON pointer into the answer. */
  place: string
  kind: 'value' | 'name' | 'missing' | 'extra' | 'length' | 'type'
  expected?: JsonValue
  actual?: JsonValue
}

/**
 * The differences between a predicted answer and an actual one. Binds names that occur for the first time.
 *
 * @param unordered pointers of lists in the answer whose order is unknown
 */
export function compareAnswers(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  names: ServerNames,
  unordered: ReadonlySet<string> = new Set(),
): AnswerDifference[] {
  const differences: AnswerDifference[] = []
  const visit = (a: JsonValue | undefined, b: JsonValue | undefined, path: (string | number)[]): void => {
    const kind = getUnknownKind(a)
    if (kind === 'any') return
    const note = (what: AnswerDifference['kind']) =>
      differences.push({
        place: formatPointer(path),
        kind: what,
        ...(a !== undefined && { expected: a }),
        ...(b !== undefined && { actual: b }),
      })
    if (a === undefined || b === undefined) {
      if (a !== b) note(a === undefined ? 'extra' : 'missing')
    } else if (kind !== null) {
      if (typeof b === 'object' || !names.bind(a as string, b)) note('name')
    } else if (Array.isArray(a)) {
      if (!Array.isArray(b)) note('type')
      else if (a.length !== b.length) note('length')
      else if (unordered.has(formatPointer(path))) visitSet(a, b, path, note)
      else a.forEach((item, index) => visit(item, b[index], [...path, index]))
    } else if (isRecord(a)) {
      if (!isRecord(b)) note('type')
      else
        for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
          visit(Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined, [
            ...path,
            key,
          ])
    } else if (!isDeepStrictEqual(typeof a === 'string' ? names.resolve(a) : a, b)) note('value')
  }
  /** Finds a partner for each item, first those whose names are known. */
  const visitSet = (
    a: readonly JsonValue[],
    b: readonly JsonValue[],
    path: (string | number)[],
    note: (what: AnswerDifference['kind']) => void,
  ) => {
    const left = [...b]
    for (const item of a) {
      const at = left.findIndex((other) => compareAnswers(item, other, new ServerNames(names)).length === 0)
      if (at < 0) {
        note('value')
        return
      }
      visit(item, left[at], [...path, '-'])
      left.splice(at, 1)
    }
  }
  visit(expected, actual, [])
  return differences
}
