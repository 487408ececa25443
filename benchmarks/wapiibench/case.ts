/** A task of the benchmark as a test case: what is asked, of which API, and the request that solves it. */
import { type BenchmarkCase, ProblemError, schemaFault, TaskCase } from '@stateeval/contracts'
import { canonicalJson } from '@stateeval/program'
import Type, { type Static } from 'typebox'
import { Specification } from './specification/types.ts'

const Fields = Type.Record(Type.String(), Type.Unknown())
/** The request that solves a task: url without a query, method in lower case. */
export const Config = Type.Object(
  {
    url: Type.String({ pattern: '^https?://[^?#]+$', maxLength: 10_000 }),
    method: Type.String({ pattern: '^(get|put|post|delete|patch)$' }),
    headers: Type.Optional(Fields),
    params: Type.Optional(Fields),
    data: Type.Optional(Fields),
  },
  { additionalProperties: false },
)
export type Config = Static<typeof Config>

export const Task = Type.Object(
  {
    api: Type.String({ pattern: '^[A-Za-z0-9_.-]+$', maxLength: 100 }),
    /** The API's name in the prompt. */
    title: Type.String({ minLength: 1, maxLength: 200 }),
    index: Type.Integer({ minimum: 0 }),
    config: Config,
    /** Where it isn't stored by its hash beside the case. */
    specification: Type.Optional(Specification),
  },
  { additionalProperties: false },
)
export type Task = Static<typeof Task>

export interface WapiiCase extends TaskCase {
  benchmark: 'wapiibench'
  task: Task
}

/** Reads a line of cases.jsonl. Throws a ProblemError that names the field. */
export function parse(line: string): BenchmarkCase {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return bad('', `is no valid JSON: ${JSON.stringify(line.slice(0, 60))}; take the file from a benchmark folder as it was exported`)
  }
  const fault = schemaFault(TaskCase, value)
  if (fault) return bad(fault.field, fault.says)
  const found = value as TaskCase
  if (found.benchmark !== 'wapiibench') bad('/benchmark', `is ${found.benchmark}; here it is wapiibench`)
  const inner = schemaFault(Task, found.task)
  if (inner) bad(`/task${inner.field}`, inner.says)
  if (!(found.task as Task).specification && found.artifacts?.length !== 1) bad('/artifacts', 'must name the specification’s hash')
  return found
}

export const lineOf = (c: WapiiCase) => canonicalJson(c)

function bad(field: string, says: string): never {
  throw new ProblemError('validation-failed', `${field === '' ? 'the line' : `the case’s field ${field}`} ${says}`, field)
}
