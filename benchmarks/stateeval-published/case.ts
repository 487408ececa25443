/**
 * A published case as a test case: its programs, the values that they start from, and the truth that they
 * left behind.
 */
import { canonicalJson, type JsonValue, defineRecord, findSchemaFault, TaskCase } from '@stateeval/contracts'
import { rejectCase, readCaseLine } from '@stateeval/program'
import Type, { type Static } from 'typebox'

export const kind = 'stateeval-published'
/**
 * The published names of the scenarios, with the id of the same scenario here, which cases are counted under.
 */
export const scenarios = {
  session: 'session-service',
  tensor: 'tensor-operation',
  voice: 'elevenlabs-mcp',
} as const
export type ScenarioName = keyof typeof scenarios
export const scenarioNames = Object.keys(scenarios) as ScenarioName[]

const AnyJson = Type.Unsafe<JsonValue>(Type.Unknown())

export const CaseSession = Type.Object(
  {
    source: Type.String({ minLength: 3 }),
    type: Type.String({ minLength: 1 }),
    data: Type.Unsafe<Record<string, JsonValue>>(defineRecord(Type.Unknown())),
  },
  { additionalProperties: false },
)
export type CaseSession = Static<typeof CaseSession>

/** One program with its start and its truth; a case passes if all of its tests do. */
export const ProgramTest = Type.Object(
  {
    /** Prepended to every program, as published. */
    init: Type.String(),
    /** Preloaded variables: tensors, or speeches. */
    load: defineRecord(AnyJson),
    /** Remote sessions before the run. */
    items: Type.Array(CaseSession),
    program: Type.String({ minLength: 1 }),
    /** RESULT after the reference; a tensor as `$tensor`. */
    result: AnyJson,
    /** Sessions after the reference, or the calls placed; null for tensors. */
    state: Type.Union([
      Type.Array(CaseSession),
      Type.Array(Type.Object({ speech: AnyJson, voice: AnyJson }, { additionalProperties: false })),
      Type.Null(),
    ]),
  },
  { additionalProperties: false },
)
export type ProgramTest = Static<typeof ProgramTest>

export const PublishedTask = Type.Object(
  {
    scenario: Type.Union([Type.Literal('session'), Type.Literal('tensor'), Type.Literal('voice')]),
    /** The file, or the row, that it was imported from. */
    from: Type.String(),
    tests: Type.Array(ProgramTest, { minItems: 1, maxItems: 2 }),
    /** The whole prompt, where the data set has it. */
    prompt: Type.Optional(Type.String({ minLength: 1 })),
    /** True if the instruction was accepted by `<OK>` and nothing else. */
    accepted: Type.Boolean(),
    /** Known weaknesses of the case. */
    flags: Type.Array(Type.String()),
  },
  { additionalProperties: false },
)
export type PublishedTask = Static<typeof PublishedTask>

export interface PublishedCase extends TaskCase {
  kind: typeof kind
  task: PublishedTask
}

/** Reads a line of cases.jsonl. Throws a ProblemError that names the field. */
export function parse(line: string): PublishedCase {
  const taskCase = readCaseLine(line, TaskCase)
  if (taskCase.kind !== kind) rejectCase('/kind', `is ${taskCase.kind}; it must be ${kind}`)
  const fault = findSchemaFault(PublishedTask, taskCase.task)
  if (fault) rejectCase(`/task${fault.field}`, fault.says)
  const { scenario, tests } = taskCase.task as PublishedTask
  if (taskCase.group !== scenarios[scenario])
    rejectCase('/group', `is ${taskCase.group}; for ${scenario} it is ${scenarios[scenario]}`)
  for (const [n, { state }] of tests.entries())
    if ((state === null) !== (scenario === 'tensor'))
      rejectCase(`/task/tests/${n}/state`, scenario === 'tensor' ? 'must be null' : 'must be a list')
  return taskCase as PublishedCase
}

export const formatPublishedCase = (c: PublishedCase) => canonicalJson(c)

/** Sessions of a truth; the case is of the session service. */
export const getTruthSessions = ({ state }: ProgramTest) => (state ?? []) as CaseSession[]
/** Calls of a truth; the case is of the voice scenario. */
export const getTruthCalls = ({ state }: ProgramTest) =>
  (state ?? []) as { speech: JsonValue; voice: JsonValue }[]
