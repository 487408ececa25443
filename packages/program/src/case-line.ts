/** Reads one line of cases.jsonl, for any benchmark; errors name the field. */
import { ProblemError, findSchemaFault } from '@stateeval/contracts'
import type { Static, TSchema } from 'typebox'

/** The line in the schema's form. Throws a ProblemError that names the field if it is not such a case. */
export function readCaseLine<T extends TSchema>(line: string, schema: T): Static<T> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return rejectCase(
      '',
      `is not valid JSON: ${JSON.stringify(line.slice(0, 60))}; use an unchanged file of an exported benchmark folder`,
    )
  }
  const fault = findSchemaFault(schema, value)
  return fault ? rejectCase(fault.field, fault.says) : (value as Static<T>)
}

/**
 * Refuses a case: `says` completes a sentence that begins with the field's name, which is empty for the
 * whole line.
 */
export function rejectCase(field: string, says: string): never {
  throw new ProblemError(
    'validation-failed',
    `${field === '' ? 'the line' : `the case’s field ${field}`} ${says}`,
    field,
  )
}
