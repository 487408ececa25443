/** Options of a build: how a set of test cases is generated. */
import Type, { type Static } from 'typebox'
import { Language } from '../execution.ts'
import { Difficulty, ScenarioOptions } from '../generation.ts'
import { ModelName } from '../model.ts'
import { Seed } from '../basics/seed.ts'

/** The translating and verifying models, by names that the evaluation service knows. */
export const AgentOptions = Type.Object(
  {
    /** Writes the instructions. */
    generator: ModelName,
    /** Judges them; the generator by default. */
    evaluator: Type.Optional(ModelName),
    /** Writes code from an instruction alone, to see whether it says enough; the generator by default. */
    coder: Type.Optional(ModelName),
    rounds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: 'Maximum number of negotiation rounds; 3 by default',
      }),
    ),
    tries: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'Attempts in which code must reproduce the oracle; 3 by default',
      }),
    ),
  },
  { additionalProperties: false },
)
export type AgentOptions = Static<typeof AgentOptions>

/**
 * How a set is made: generates `programs`, drops those that fail a filter, keeps a seeded sample of `keep`.
 */
export const BuildOptions = Type.Object(
  {
    scenario: Type.String({ minLength: 1, maxLength: 100, description: 'A scenario’s id, or all' }),
    programs: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 60,
      description: 'Programs to generate, per scenario',
    }),
    keep: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 40,
      description: 'Cases to keep of those that pass every filter, per scenario',
    }),
    seed: Type.Union(Seed.anyOf, { default: 1, description: 'Same seed, same bytes' }),
    translator: Type.Union([Type.Literal('template'), Type.Literal('agents')], { default: 'template' }),
    agents: Type.Optional(AgentOptions),
    strategy: Type.Union([Type.Literal('planned'), Type.Literal('coverage'), Type.Literal('random')], {
      default: 'planned',
    }),
    length: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 50,
        description: 'Calls on each execution path; absent: as the level of difficulty has it, or 5',
      }),
    ),
    ...Type.Omit(Difficulty, ['only']).properties,
    apis: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 100,
        uniqueItems: true,
        description: 'Opt-in APIs to use besides the scenario’s usual ones',
      }),
    ),
    controlFlow: Type.Boolean({ default: true, description: 'Whether programs may have an if/else' }),
    secondWorlds: Type.Boolean({
      default: true,
      description:
        'Whether to run each execution path in a second world too, if that is needed to distinguish a call from its output in the first world. The paper uses one world',
    }),
    scenarioOptions: Type.Optional(ScenarioOptions),
    languages: Type.Array(Language, {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description:
        'Languages of the reference code. Runs in the first language are the oracles; runs in the others must agree with them. Default: all available languages of the scenario',
    }),
  },
  { additionalProperties: false },
)
export type BuildOptions = Static<typeof BuildOptions>

/** A build's request: everything except the scenario has a default. */
export const BuildRequest = Type.Object(
  { ...Type.Partial(BuildOptions).properties, scenario: BuildOptions.properties.scenario },
  { additionalProperties: false },
)
export type BuildRequest = Static<typeof BuildRequest>
