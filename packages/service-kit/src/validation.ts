/** Validation of what comes from outside, with messages that name the field and say what it should be. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'

/** `field` is a JSON pointer, empty for the value as a whole. */
export interface Fault {
  field: string
  says: string
}
export interface Checker<T> {
  /** The fault that a person would fix first; null where the value fits. */
  fault: (value: unknown) => Fault | null
  /** The value with the schema's defaults filled in. */
  complete: (value: unknown) => T
}

const checkers = new WeakMap<TSchema, Checker<unknown>>()

/** Compiles a schema once. */
export function checker<S extends TSchema>(schema: S): Checker<Static<S>> {
  const known = checkers.get(schema)
  if (known) return known as Checker<Static<S>>
  const compiled = Compile(schema)
  const made: Checker<unknown> = {
    fault: (value) => (compiled.Check(value) ? null : explain(compiled.Errors(value), value)),
    complete: (value) => Value.Default(schema, value),
  }
  checkers.set(schema, made)
  return made as Checker<Static<S>>
}

interface RawError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** Of all that a validator says, the one thing to tell: the deepest place, with all alternatives that it would take. */
function explain(errors: RawError[], value: unknown): Fault {
  // A member that isn't known is reported twice, once as a schema that is false.
  const told = errors.filter((error) => error.keyword !== 'boolean' && error.keyword !== 'anyOf')
  const outer = told.filter((error) => !error.schemaPath.includes('/anyOf/'))
  const pool = outer.length > 0 ? outer : told.length > 0 ? told : errors
  const depth = (error: RawError) => error.instancePath.split('/').length
  const deepest = pool.reduce((a, b) => (depth(b) > depth(a) ? b : a))
  const field = deepest.instancePath
  const allowed = pool
    .filter((error) => error.instancePath === field && error.keyword === 'const')
    .map((error) => JSON.stringify(error.params['allowedValue']))
  if (allowed.length > 0) return { field, says: `must be ${allowed.length > 1 ? 'one of ' : ''}${[...new Set(allowed)].join(', ')}` }
  switch (deepest.keyword) {
    case 'enum':
      return {
        field,
        says: `must be one of ${(deepest.params['allowedValues'] as unknown[]).map((word) => JSON.stringify(word)).join(', ')}`,
      }
    case 'required': {
      const names = deepest.params['requiredProperties'] as string[]
      return { field: `${field}/${names[0]}`, says: `is missing${value === undefined ? ': send a JSON body' : ''}` }
    }
    case 'additionalProperties': {
      const names = deepest.params['additionalProperties'] as string[]
      return { field: `${field}/${names[0]}`, says: 'is not known here; remove it or check its spelling' }
    }
    case 'type':
      if (value === undefined) return { field, says: 'is missing: send a JSON body with content-type application/json' }
      return { field, says: `must be ${article(String(deepest.params['type']))}` }
    case 'format':
      return { field, says: `must be a ${String(deepest.params['format'])}` }
    default:
      return { field, says: deepest.message }
  }
}
const article = (type: string) => (type === 'integer' ? 'a whole number' : /^[aeo]/.test(type) ? `an ${type}` : `a ${type}`)

/** Query and path values are texts: turns those that are clearly numbers, booleans or lists into what the schema wants. */
export function fromText(schema: TSchema, values: Record<string, unknown>): Record<string, unknown> {
  const members = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, convert(members[name]?.type, text)]))
}
function convert(type: string | undefined, text: unknown): unknown {
  if (type === 'array') return Array.isArray(text) ? text : [text]
  if (typeof text !== 'string') return text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
