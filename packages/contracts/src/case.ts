/** Test cases and benchmark folders. */
import Type, { type Static } from 'typebox'
import { Input, WorldState } from './execution.ts'
import { Program } from './program.ts'

/** What executing the reference code produced on one input. */
export const Oracle = Type.Object({ input: Input, result: Type.Unknown(), world: WorldState }, { additionalProperties: false })
export type Oracle = Static<typeof Oracle>

/** One test case of the stateeval benchmark: instruction, variables and oracle; documentation comes with the scenario. */
export const Case = Type.Object(
  {
    id: Type.String({ description: 'Scenario and the first 12 digits of the program id' }),
    scenario: Type.String(),
    world: Type.String(),
    instruction: Type.String(),
    variables: Type.Array(
      Type.Object(
        { name: Type.String(), type: Type.String({ description: 'What a reader needs to know of it: object, string, number' }) },
        { additionalProperties: false },
      ),
      { description: 'Names and types; values are never shown to a model' },
    ),
    program: Program,
    oracles: Type.Array(Oracle, { minItems: 1 }),
    flags: Type.Array(Type.String(), { description: 'such as dead_branch: the flipped input does not reach the other branch' }),
    metrics: Type.Record(Type.String(), Type.Number()),
  },
  { additionalProperties: false },
)
export type Case = Static<typeof Case>
