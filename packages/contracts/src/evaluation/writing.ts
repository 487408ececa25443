/** How tasks are written for a specification by a model. */
import Type, { type Static } from 'typebox'
import { Budget, ModelName } from '../model.ts'
import { Seed } from '../basics/seed.ts'

/** How tasks are written for what a specification has: by a model, with checks, in rounds. */
export const WritingOptions = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_.-]+$',
      maxLength: 100,
      description: 'Short name of the API: cases are named and counted by it',
    }),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Its name in prompts; the specification’s title by default',
      }),
    ),
    server: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 2000,
        description: 'Where requests go; the specification’s first server by default',
      }),
    ),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Only endpoints whose path begins with one of these',
      }),
    ),
    instructions: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'More for the model to know of this API' }),
    ),
    rounds: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 3,
      description: 'Times that a task may be written until its checks pass',
    }),
    together: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: 'Endpoints in one question, at most',
    }),
    longest: Type.Integer({
      minimum: 1000,
      maximum: 10_000_000,
      default: 400_000,
      description:
        'Characters of the specification in one prompt; of a longer one it has the paths that are asked for and what they need',
    }),
    seed: Type.Union(Seed.anyOf, {
      default: 1,
      description: 'Which of the model’s answers are taken: another seed asks anew',
    }),
  },
  { additionalProperties: false },
)
export type WritingOptions = Static<typeof WritingOptions>

/** What a set is made of and by whom, where a model writes the tasks. */
export const WritingRequest = Type.Object(
  {
    kind: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The kind of benchmark whose tasks are written',
    }),
    specification: Type.String({
      minLength: 2,
      description:
        'The text of the specification: OpenAPI 3.0 or 3.1, in YAML or JSON; or what this kind takes in its place, such as {"samples": 20} of one that a seed makes',
    }),
    model: Type.Optional(ModelName),
    recording: Type.Optional(
      Type.String({
        pattern: '^rec_[0-9a-f]{64}$',
        description: 'Instead of a model: answers every question',
      }),
    ),
    fresh: Type.Optional(
      Type.Boolean({ description: 'Asks every question again, including those already answered' }),
    ),
    budget: Type.Optional(Budget),
    ...Type.Partial(WritingOptions).properties,
    id: WritingOptions.properties.id,
  },
  { additionalProperties: false },
)
export type WritingRequest = Static<typeof WritingRequest>
