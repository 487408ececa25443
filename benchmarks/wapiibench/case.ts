/** A task of the benchmark as a test case: what is asked, of which API, and the request that solves it. */
import {
  type BenchmarkCase,
  canonicalJson,
  type JsonValue,
  defineRecord,
  findSchemaFault,
  TaskCase,
} from '@stateeval/contracts'
import { rejectCase, readCaseLine } from '@stateeval/program'
import Type, { type Static } from 'typebox'
import { ApiDescription } from './specification/types.ts'

const Fields = defineRecord(Type.Unsafe<JsonValue>(Type.Unknown()))
/** The request that solves a task: url without a query, method in lower case. */
export const RequestConfiguration = Type.Object(
  {
    url: Type.String({ pattern: '^https?://[^?#]+$', maxLength: 10_000 }),
    method: Type.String({ pattern: '^(get|put|post|delete|patch)$' }),
    headers: Type.Optional(Fields),
    params: Type.Optional(Fields),
    data: Type.Optional(Fields),
  },
  { additionalProperties: false },
)
export type RequestConfiguration = Static<typeof RequestConfiguration>

export const WapiiTask = Type.Object(
  {
    api: Type.String({ pattern: '^[A-Za-z0-9_.-]+$', maxLength: 100 }),
    /** The API's name in the prompt. */
    title: Type.String({ minLength: 1, maxLength: 200 }),
    index: Type.Integer({ minimum: 0 }),
    config: RequestConfiguration,
    /** Texts that the program can read, by file name: what it may upload. */
    files: Type.Optional(defineRecord(Type.String({ maxLength: 100_000 }))),
    /** Absent if stored by its hash beside the case. */
    specification: Type.Optional(ApiDescription),
  },
  { additionalProperties: false },
)
export type WapiiTask = Static<typeof WapiiTask>

export interface WapiiCase extends TaskCase {
  kind: 'wapiibench'
  task: WapiiTask
}

/** Reads a line of cases.jsonl. Throws a ProblemError that names the field. */
export function parse(line: string): BenchmarkCase {
  const taskCase = readCaseLine(line, TaskCase)
  if (taskCase.kind !== 'wapiibench') rejectCase('/kind', `is ${taskCase.kind}; it must be wapiibench`)
  const inner = findSchemaFault(WapiiTask, taskCase.task)
  if (inner) rejectCase(`/task${inner.field}`, inner.says)
  if (!(taskCase.task as WapiiTask).specification && taskCase.artifacts?.length !== 1)
    rejectCase('/artifacts', 'must name the specification’s hash')
  return taskCase
}

export const formatWapiiCase = (c: WapiiCase) => canonicalJson(c)
