/**
 * A sample of NESTFUL as a test case: what is asked, the gold calls with their own argument text, and what
 * they can be held against.
 */
import {
  canonicalJson,
  ExecutionInput,
  Program,
  findSchemaFault,
  TaskCase,
  WorldState,
} from '@stateeval/contracts'
import { rejectCase, readCaseLine } from '@stateeval/program'
import Type, { type Static } from 'typebox'
import { readWhole } from './python/read.ts'
import { isDict, type PyDict } from './python/value.ts'

const closed = { additionalProperties: false } as const
const text = Type.String({ maxLength: 2_000_000 })

/** JSON texts: numbers such as 1.0 and the order of keys count. */
export const GoldCall = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 300 }),
    label: Type.String({ maxLength: 100 }),
    arguments: text,
  },
  closed,
)
export type GoldCall = Static<typeof GoldCall>

/** A solved case as a prompt shows it. */
export const SolvedExample = Type.Object(
  {
    input: text,
    /** The list of calls, as JSON text. */
    output: text,
    /** The names of its APIs. */
    apis: Type.Array(Type.String()),
    /** The case that it is: no case is shown itself. */
    case: Type.String(),
  },
  closed,
)
export type SolvedExample = Static<typeof SolvedExample>

export const NestfulTask = Type.Object(
  {
    /** v1: APIs of a library; v2: executable functions; scenario: a fresh case, made from a program. */
    form: Type.Union([Type.Literal('v1'), Type.Literal('v2'), Type.Literal('scenario')]),
    /** executable, glaive, sgd; math, coding; or the scenario. */
    part: Type.String({ minLength: 1, maxLength: 100 }),
    calls: Type.Array(GoldCall, { minItems: 1, maxItems: 200 }),
    /** v1, scenario: the arguments of the pseudo call var_result, which names the results. */
    result: Type.Optional(text),
    /** v2, scenario: the tools, as JSON text. */
    tools: Type.Optional(text),
    /** scenario: solved cases that a prompt may show; others have them in their library. */
    examples: Type.Optional(Type.Array(SolvedExample, { maxItems: 8 })),
    /** v2: the gold answer, as JSON text. */
    gold: Type.Optional(text),
    /** Places where the sample contradicts its specification. */
    faults: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 200 }),
    /** v1, executable: whether a mock of the specifications answers the gold calls. */
    passable: Type.Optional(Type.Boolean()),
    /** scenario: where calls run, and what the gold calls leave there. `result` names its results. */
    truth: Type.Optional(
      Type.Object(
        {
          world: Type.String(),
          input: ExecutionInput,
          /** RESULT, under the names of `result`. */
          result: Type.Unknown(),
          state: WorldState,
          /** The program that the calls were made from. */
          program: Program,
        },
        closed,
      ),
    ),
  },
  closed,
)
export type NestfulTask = Static<typeof NestfulTask>

export interface NestfulCase extends TaskCase {
  kind: 'nestful'
  task: NestfulTask
}

export const parseListedArguments = (call: { arguments: string }): PyDict =>
  readWhole(call.arguments) as PyDict

/** Reads a line of cases.jsonl. Throws a ProblemError that names the field. */
export function parse(line: string): NestfulCase {
  const caseLine = readCaseLine(line, TaskCase)
  if (caseLine.kind !== 'nestful') rejectCase('/kind', `is ${caseLine.kind}; it must be nestful`)
  const fault = findSchemaFault(NestfulTask, caseLine.task)
  if (fault) rejectCase(`/task${fault.field}`, fault.says)
  const task = caseLine.task as NestfulTask
  task.calls.forEach((call, at) => requireJson(`/task/calls/${at}/arguments`, call.arguments, 'object'))
  for (const field of ['result', 'tools', 'gold'] as const)
    if (task[field] !== undefined)
      requireJson(
        `/task/${field}`,
        task[field],
        field === 'tools' ? 'list' : field === 'result' ? 'object' : 'value',
      )
  if (task.form === 'v1' && caseLine.artifacts?.length !== 1)
    rejectCase('/artifacts', 'must name the hash of the API library')
  if (task.form !== 'v1' && task.tools === undefined) rejectCase('/task/tools', 'is missing')
  if (task.form === 'scenario' && task.truth === undefined) rejectCase('/task/truth', 'is missing')
  return caseLine as NestfulCase
}

function requireJson(field: string, json: string, kind: 'object' | 'list' | 'value') {
  try {
    const value = readWhole(json)
    if (kind === 'object' ? isDict(value) : kind === 'list' ? Array.isArray(value) : true) return
  } catch (error) {
    rejectCase(field, `is not valid JSON: ${(error as Error).message}`)
  }
  rejectCase(field, `must be the JSON text of ${kind === 'object' ? 'an object' : 'a list'}`)
}

/**
 * The fault that `checkSample` reports for a gold call whose API has no specification: no prompt can offer
 * it.
 */
export const withoutSpecification = 'there is no specification of'
export const isAnswerable = ({ task }: Pick<NestfulCase, 'task'>): boolean =>
  !task.faults.some((fault) => fault.includes(withoutSpecification))

/** The label of the n-th call, from 1, in the spelling of the case's own: `var1`, `$var1`, `$var_1`. */
export function getLabel({ task }: Pick<NestfulCase, 'task'>, n: number | 'N'): string {
  const [, spelling = '$var_'] = /^(\$?var_?)\d{1,9}$/.exec(task.calls[0]?.label ?? '') ?? []
  return spelling + n
}

export const formatNestfulCase = (c: NestfulCase) => canonicalJson(c)
