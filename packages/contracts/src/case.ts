/** Test cases and benchmark folders. */
import Type, { type Static } from 'typebox'
import { Sha256 } from './basics/sha256.ts'
import { ExecutionInput, WorldState } from './execution.ts'
import { Program } from './program.ts'
import { defineRecord } from './basics/record.ts'
import { listWorldArtifacts } from './world.ts'

/** The result of the reference code on one input. */
export const Oracle = Type.Object(
  { input: ExecutionInput, result: Type.Unknown(), world: WorldState },
  { additionalProperties: false },
)
export type Oracle = Static<typeof Oracle>

/**
 * One test case of the stateeval benchmark: instruction, variables and oracle. The scenario provides the
 * documentation.
 */
export const Case = Type.Object(
  {
    id: Type.String({ description: 'Scenario and the first 12 digits of the program id' }),
    scenario: Type.String(),
    world: Type.String(),
    instruction: Type.String(),
    variables: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          type: Type.String({
            description:
              'The type of the value, as TypeScript writes it, with the members of objects: { title: string; tags: string[] }; of a tensor its dtype and shape',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'Names and types of the variables; a model never sees their values' },
    ),
    program: Program,
    oracles: Type.Array(Oracle, { minItems: 1 }),
    flags: Type.Array(Type.String(), {
      description: 'Labels such as dead_branch: the flipped input does not reach the other branch',
    }),
    metrics: defineRecord(Type.Number()),
  },
  { additionalProperties: false },
)
export type Case = Static<typeof Case>

/**
 * One test case of a benchmark with its own tasks; the benchmark's `parse` checks the content of `task`.
 */
export const TaskCase = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    kind: Type.String({ description: 'The kind of the benchmark that contains the case' }),
    group: Type.String({ description: 'The case’s group in reports, such as an API' }),
    instruction: Type.String(),
    task: Type.Unknown({ description: 'The task in the benchmark’s form' }),
    artifacts: Type.Optional(
      Type.Array(Sha256, {
        maxItems: 64,
        description: 'SHA-256 of further data that prompting and scoring need',
      }),
    ),
  },
  { additionalProperties: false },
)
export type TaskCase = Static<typeof TaskCase>

/** A test case of any benchmark. */
export const BenchmarkCase = Type.Union([Case, TaskCase])
export type BenchmarkCase = Case | TaskCase

/** Hashes of the artifacts that a case needs: those that it names, and the model of its scenario. */
export const listCaseArtifacts = (c: BenchmarkCase): readonly string[] =>
  'scenario' in c ? listWorldArtifacts(c.scenario) : (c.artifacts ?? [])
