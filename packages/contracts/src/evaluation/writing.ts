/** How a model writes tasks for a specification. */
import Type, { type Static } from 'typebox'
import { UsageBudget, ModelName } from '../model.ts'
import { Seed } from '../basics/seed.ts'
import { CapturedObservation } from '../captured-request.ts'

/** How a model writes tasks for the APIs of a specification, with checks, in rounds. */
export const WritingOptions = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_.-]+$',
      maxLength: 100,
      description: 'Short name of the API, used in case names and counts',
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
      Type.String({ maxLength: 20_000, description: 'More information on this API for the model' }),
    ),
    rounds: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 3,
      description: 'Maximum number of attempts to write a task that passes its checks',
    }),
    together: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: 'Maximum number of endpoints in one question',
    }),
    longest: Type.Integer({
      minimum: 1000,
      maximum: 10_000_000,
      default: 400_000,
      description:
        'Maximum number of characters of the specification in one prompt. If the specification is longer, a prompt contains only the requested paths and their dependencies',
    }),
    seed: Type.Union(Seed.anyOf, {
      default: 1,
      description: 'Selects the model’s answers: another seed asks the model again',
    }),
  },
  { additionalProperties: false },
)
export type WritingOptions = Static<typeof WritingOptions>

/** The specification and the model of a set whose tasks a model writes. */
export const WritingRequest = Type.Object(
  {
    kind: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The kind of benchmark whose tasks are written',
    }),
    specification: Type.String({
      minLength: 2,
      maxLength: 16 * 2 ** 20,
      description:
        'The text of the specification: OpenAPI 3.0 or 3.1, or Swagger 2.0, in YAML or JSON; or this kind’s replacement for it, such as {"samples": 20} for a kind built from a seed',
    }),
    model: Type.Optional(ModelName),
    recording: Type.Optional(
      Type.String({
        pattern: '^rec_[0-9a-f]{64}$',
        description: 'A recording that answers every question, instead of a model',
      }),
    ),
    fresh: Type.Optional(
      Type.Boolean({
        description: 'Whether every question is asked again, including those already answered',
      }),
    ),
    budget: Type.Optional(UsageBudget),
    ...Type.Partial(WritingOptions).properties,
    id: WritingOptions.properties.id,
  },
  { additionalProperties: false },
)
export type WritingRequest = Static<typeof WritingRequest>

const Names = Type.Array(Type.String())
/** The parts of an endpoint for which tasks can be written, or why none can. */
export const PlannedEndpoint = Type.Object(
  {
    name: Type.String({ description: 'Such as GET /orders/{id}' }),
    case: Type.String({ description: 'The id of its case' }),
    skipped: Type.Optional(Type.String({ description: 'Why no task can be written for it' })),
    detail: Type.Optional(Type.String({ description: 'More about that, such as the broken place' })),
    arguments: Type.Optional(
      Type.Object(
        { path: Names, query: Names, header: Names, cookie: Names, body: Names },
        { additionalProperties: false, description: 'Names by location; of a body, at most 100' },
      ),
    ),
    security: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The ways to authenticate, of which one is needed, such as header Authorization',
      }),
    ),
  },
  { additionalProperties: false },
)
/** The questions that a build of tasks for a specification would ask. */
export const SpecificationPlan = Type.Object(
  {
    endpoints: Type.Array(PlannedEndpoint),
    usable: Type.Integer({ minimum: 0, description: 'Endpoints that a task is asked for' }),
    questions: Type.Integer({
      minimum: 0,
      description: 'First questions to the model; a failed check asks once more',
    }),
    promptTokens: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of these questions, estimated from their length' }),
    ),
  },
  { additionalProperties: false },
)
export type SpecificationPlan = Static<typeof SpecificationPlan>

/** Runs of programs whose requests are held against a specification. */
export const ConformanceRequest = Type.Object(
  {
    kind: WritingRequest.properties.kind,
    specification: WritingRequest.properties.specification,
    server: WritingOptions.properties.server,
    observations: Type.Array(CapturedObservation, {
      minItems: 1,
      maxItems: 1000,
      description:
        'One for each program: its run in a world that captures requests, such as axios-capture with {"fetch": true}',
    }),
  },
  { additionalProperties: false },
)
export type ConformanceRequest = Static<typeof ConformanceRequest>

export const CheckedRequest = Type.Object(
  {
    name: Type.String({ description: 'Such as GET /orders/{id}' }),
    faults: Type.Array(Type.String(), { description: 'Differences from the specification' }),
  },
  { additionalProperties: false },
)
export type CheckedRequest = Static<typeof CheckedRequest>
/** Requests of programs, in the order of the observations. */
export const ConformanceResult = Type.Object(
  {
    programs: Type.Array(
      Type.Object({ requests: Type.Array(CheckedRequest) }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
)
export type ConformanceResult = Static<typeof ConformanceResult>
