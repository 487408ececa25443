/**
 * A sample of the benchmark as a test case: what is asked and the golden calls; the whole published line is
 * stored by its hash.
 */
import {
  type BenchmarkCase,
  canonicalJson,
  ListedCall,
  findSchemaFault,
  TaskCase,
} from '@stateeval/contracts'
import { rejectCase, readCaseLine } from '@stateeval/program'
import Type, { type Static } from 'typebox'
import { LivePart } from './live/case.ts'

export const ComplexTask = Type.Object(
  {
    domain: Type.String({ minLength: 1, maxLength: 100 }),
    /**
     * The shortest path: the calls of each turn. Arguments are the text as it was published: JSON would lose
     * 1.0 and order.
     */
    turns: Type.Array(Type.Array(ListedCall, { minItems: 1, maxItems: 100 }), {
      minItems: 1,
      maxItems: 100,
    }),
    /**
     * Golden calls that the released format check refuses: kept as published, and no reference under
     * `published`.
     */
    marks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** The place of the call in the path. */
            call: Type.Integer({ minimum: 0 }),
            says: Type.String({ maxLength: 1000 }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 1000 },
      ),
    ),
    /** There where the case is about a live world. */
    live: Type.Optional(LivePart),
  },
  { additionalProperties: false },
)
export type ComplexTask = Static<typeof ComplexTask>

export interface ComplexCase extends TaskCase {
  kind: 'complexfuncbench'
  task: ComplexTask
  /** Absent where its responses are the world's. */
  artifacts?: [string]
}

/** Reads a line of cases.jsonl. Throws a ProblemError that names the field. */
export function parse(line: string): BenchmarkCase {
  const taskCase = readCaseLine(line, TaskCase)
  if (taskCase.kind !== 'complexfuncbench')
    rejectCase('/kind', `is ${taskCase.kind}; it must be complexfuncbench`)
  const fault = findSchemaFault(ComplexTask, taskCase.task)
  if (fault) rejectCase(`/task${fault.field}`, fault.says)
  const { live } = taskCase.task as ComplexTask
  const isMade = live?.answer !== undefined && live.functions !== undefined
  if (taskCase.artifacts?.length !== 1 && !(isMade && !taskCase.artifacts))
    rejectCase('/artifacts', 'must name the hash of the published line')
  return taskCase
}

export const formatComplexCase = (c: ComplexCase) => canonicalJson(c)
