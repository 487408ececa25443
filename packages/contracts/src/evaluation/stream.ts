/**
 * Streams of tasks: unlimited tasks, generated block by block from a seed. A seed, options and an index
 * name the same task in any installation. A held-out stream first publishes a commitment to its seed, and
 * the seed at the end.
 */
import Type, { type Static } from 'typebox'
import { canonicalJson, sha256 } from '../basics/canonical.ts'
import { defineRecord } from '../basics/record.ts'
import { Seed } from '../basics/seed.ts'
import { Difficulty, ScenarioOptions } from '../generation.ts'

const closedObject = { additionalProperties: false } as const

/** Tasks that are generated together. */
export const streamBlockSize = 64

export const StreamId = Type.String({ pattern: '^str_[0-9a-z]{1,64}$' })
export const StreamIndex = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: `Position of a task in its stream, from 0; a block has ${streamBlockSize}`,
})

const defineCallCount = (description: string) =>
  Type.Integer({ minimum: 2, maximum: 50, default: 5, description })

/** The options that, with its seed, determine a stream's tasks. */
export const StreamOptions = Type.Object(
  {
    scenario: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A scenario’s id, or all: each block then has equally many tasks of each',
    }),
    length: Type.Object(
      { min: defineCallCount('The shortest'), max: defineCallCount('The longest') },
      {
        ...closedObject,
        default: {},
        description: 'Calls on each execution path; each block has equally many tasks of each length',
      },
    ),
    ...Type.Omit(Difficulty, ['only', 'difficulty']).properties,
    difficulty: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        description:
          'A level, from easy to hard, that sets length, branches, pathDepth, bindings and distractors where they are absent. With all scenarios, the length is the mean of their levels',
      }),
    ),
    apis: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'The only APIs that tasks call, usual or opt-in; absent: the scenario’s usual ones',
      }),
    ),
    scenarioOptions: Type.Optional(ScenarioOptions),
  },
  closedObject,
)
export type StreamOptions = Static<typeof StreamOptions>

export const StreamPurpose = Type.Union([Type.Literal('training'), Type.Literal('held-out')], {
  description: 'held-out: the seed stays secret until it is revealed, and so do references and evidence',
})

export const StreamRequest = Type.Object(
  {
    options: Type.Object(
      {
        ...Type.Partial(StreamOptions).properties,
        scenario: StreamOptions.properties.scenario,
        length: Type.Optional(
          Type.Object(
            {
              min: Type.Optional(defineCallCount('The shortest')),
              max: Type.Optional(defineCallCount('The longest')),
            },
            {
              ...closedObject,
              description: 'Calls on each execution path; each block has equally many tasks of each length',
            },
          ),
        ),
      },
      closedObject,
    ),
    purpose: Type.Optional(StreamPurpose),
    seed: Type.Optional(
      Type.Union(Seed.anyOf, {
        description:
          'Default: 128 random bits. Omit it for a held-out stream: anyone who guesses the seed can generate the tasks',
      }),
    ),
  },
  closedObject,
)
export type StreamRequest = Static<typeof StreamRequest>

/** The preimage of the commitment, and what a reveal publishes of it. */
const opened = {
  seed: Type.Optional(Type.Union(Seed.anyOf, { description: 'Absent while sealed' })),
  salt: Type.Optional(Type.String({ description: '128 random bits in hexadecimal; absent while sealed' })),
}

export const StreamResource = Type.Object(
  {
    id: Type.String(),
    status: Type.Union([Type.Literal('open'), Type.Literal('sealed'), Type.Literal('revealed')], {
      description:
        'open: a training stream. sealed: a held-out one whose seed is secret. revealed: one whose seed is public; it accepts no new episodes',
    }),
    purpose: StreamPurpose,
    kind: Type.String({ description: 'The kind of benchmark that its tasks are prompted and scored as' }),
    options: StreamOptions,
    versions: defineRecord(Type.String(), {
      description: 'Versions of the generators: the same seed gives the same tasks under the same versions',
    }),
    blockSize: Type.Integer({ description: 'Tasks that are generated together' }),
    commitment: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the canonical JSON (RFC 8785) of an object with kind, options, salt, seed and versions',
    }),
    ...opened,
    createdAt: Type.String({ format: 'date-time' }),
    revealedAt: Type.Optional(Type.String({ format: 'date-time' })),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type StreamResource = Static<typeof StreamResource>

/**
 * The commitment that a stream publishes before its seed. Anyone can check it once seed and salt are
 * public.
 */
export const computeStreamCommitment = ({
  kind,
  options,
  salt,
  seed,
  versions,
}: Required<Pick<StreamResource, 'kind' | 'options' | 'salt' | 'seed' | 'versions'>>): string =>
  sha256(canonicalJson({ kind, options, salt, seed, versions }))

export const StreamTask = Type.Object(
  {
    stream: Type.String(),
    index: StreamIndex,
    block: Type.Integer({ minimum: 0 }),
    task: Type.String({ description: 'The id of the task: the same for the same program' }),
    digest: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the whole task, with its reference and oracles, as canonical JSON',
    }),
    scenario: Type.String(),
    instruction: Type.String(),
    variables: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }, closedObject), {
      description: 'Variables that are initialised for a program, without their values',
    }),
    difficulty: Type.Optional(
      Type.Object(
        {
          length: Type.Integer({ description: 'Calls on each execution path' }),
          branch: Type.Boolean({ description: 'Whether the task has an if/else' }),
          pathDepth: Type.Integer({ description: 'The longest producer-to-consumer chain, in edges' }),
          apis: Type.Integer({ description: 'Different APIs that the reference calls' }),
        },
        { ...closedObject, description: 'Absent while the stream is sealed' },
      ),
    ),
  },
  closedObject,
)
export type StreamTask = Static<typeof StreamTask>

export const StreamReference = Type.Object(
  {
    stream: Type.String(),
    index: StreamIndex,
    task: Type.String(),
    instruction: Type.String(),
    answer: Type.Union([Type.String(), Type.Null()], {
      description: 'A correct answer as a model would write it; null if there is none in this language',
    }),
  },
  closedObject,
)
export type StreamReference = Static<typeof StreamReference>
