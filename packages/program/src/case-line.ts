/** Reading one line of cases.jsonl, whatever the benchmark: what is wrong with it is said with the field. */
import { ProblemError, schemaFault } from '@stateeval/contracts'
import type { Static, TSchema } from 'typebox'

/** The line as the schema has it. Throws a ProblemError that names the field where it is no such case. */
export function readCaseLine<T extends TSchema>(line: string, schema: T): Static<T> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return badCase(
      '',
      `is not valid JSON: ${JSON.stringify(line.slice(0, 60))}; use an unchanged file of an exported benchmark folder`,
    )
  }
  const fault = schemaFault(schema, value)
  return fault ? badCase(fault.field, fault.says) : (value as Static<T>)
}

/** Refuses a case: `says` goes on from the name of the field, which is empty for the whole line. */
export function badCase(field: string, says: string): never {
  throw new ProblemError(
    'validation-failed',
    `${field === '' ? 'the line' : `the case’s field ${field}`} ${says}`,
    field,
  )
}
