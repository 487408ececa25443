/**
 * Cases of the small dialogue benchmark: the user's messages in three turns, and the expected final
 * sessions.
 */
import { type JsonValue, defineRecord, findSchemaFault, TaskCase, canonicalJson } from '@stateeval/contracts'
import { rejectCase, readCaseLine } from '@stateeval/program'
import Type, { type Static } from 'typebox'

const Session = Type.Object(
  { source: Type.String(), type: Type.String(), data: defineRecord(Type.Unknown()) },
  { additionalProperties: false },
)
const Task = Type.Object(
  {
    /** What is there at the beginning. */
    items: Type.Array(Session),
    turns: Type.Array(Type.String(), { minItems: 3, maxItems: 3 }),
    /** What is there in the end. */
    expected: Type.Array(Session),
    /** What the last answer must say. */
    answer: Type.String(),
    /** Its third turn deletes a session, whose id only the world knows. */
    deletes: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
)
type Task = Static<typeof Task>
export interface DialogueCase extends TaskCase {
  task: Task
}

/** Reads a line of cases.jsonl. Throws a problem that names the field. */
export function parse(line: string): DialogueCase {
  const testCase = readCaseLine(line, TaskCase)
  const fault = findSchemaFault(Task, testCase.task)
  if (fault) rejectCase(`/task${fault.field}`, fault.says)
  return testCase as DialogueCase
}

/** The n-th case; cases that delete cannot be answered from a file. */
export function caseOf(n: number, { deletes = false } = {}): DialogueCase {
  const source = `shop-${n}`
  const [a, b, c] = ['a', 'b', 'c'].map((title) => ({ title, n }))
  const settings = [a, b].map((data) => ({
    source,
    type: 'settings',
    data: data as Record<string, JsonValue>,
  }))
  const group = { source, type: 'group', data: c as Record<string, JsonValue> }
  return {
    id: `dialogue-${n}`,
    kind: 'dialogue',
    group: deletes ? 'deleting' : 'listing',
    instruction: `Keep the sessions of ${source}.`,
    task: {
      items: [],
      turns: [
        `Add two settings of ${source}: ${JSON.stringify(a)} and ${JSON.stringify(b)}.`,
        `Add a group of ${source}: ${JSON.stringify(c)}.`,
        deletes
          ? `Delete the first of the settings of ${source}, then say how many are left.`
          : `How many settings has ${source}?`,
      ],
      expected: deletes ? [settings[1]!, group] : [...settings, group],
      answer: deletes ? '1' : '2',
      ...(deletes && { deletes: true as const }),
    },
  }
}

export const lineOf = (c: DialogueCase): string => canonicalJson(c)
