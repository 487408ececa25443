/** A benchmark folder: its manifest and its files. */
import Type, { type Static } from 'typebox'
import { defineRecord } from '../basics/record.ts'
import { Seed } from '../basics/seed.ts'
import { Sha256 } from '../basics/sha256.ts'

const Spread = Type.Object(
  { mean: Type.Number(), min: Type.Number(), max: Type.Number() },
  { additionalProperties: false },
)

/** A set's statistics per scenario, as in the paper's Table I. */
export const SetStatistics = Type.Object(
  {
    scenario: Type.String(),
    cases: Type.Integer(),
    apis: Type.Integer({ description: 'Different APIs that the programs call' }),
    branches: Type.Integer({ description: 'Cases with an if/else' }),
    metrics: defineRecord(Spread),
    atc: Type.Optional(
      Type.Number({ description: 'Adjacent transition coverage of the kept set, as a share of M²' }),
    ),
    feasible: Type.Optional(
      Type.Integer({ description: 'Pairs of neighbouring calls that a program of this length can contain' }),
    ),
    atcFeasible: Type.Optional(
      Type.Number({
        description: 'Adjacent transition coverage of the kept set, as a share of the feasible pairs',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SetStatistics = Static<typeof SetStatistics>

/** Drops between generation and the final sample, and their reason. */
export const FilterCount = Type.Object(
  { scenario: Type.String(), phase: Type.String(), reason: Type.String(), count: Type.Integer() },
  { additionalProperties: false },
)
export type FilterCount = Static<typeof FilterCount>

/** The current version of manifests. Folders with an earlier one must be built again. */
export const manifestSchema = 2 as const

/** manifest.json of a benchmark folder. It contains no times, so the same build gives the same bytes. */
export const Manifest = Type.Object(
  {
    schema: Type.Literal(manifestSchema),
    digest: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the canonical form of this manifest without the digest. The digest covers the files through their hashes',
    }),
    kind: Type.String({
      description: 'The kind of benchmark, which defines prompting, scoring and aggregation',
    }),
    versions: defineRecord(Type.String(), {
      description: 'Versions of the benchmark, the scenarios and the generator',
    }),
    seed: Type.Union([Type.Integer(), Type.String()]),
    options: defineRecord(Type.Unknown()),
    counts: Type.Object(
      {
        generated: Type.Integer(),
        passed: Type.Integer(),
        kept: Type.Integer(),
        filteredShare: Type.Optional(
          Type.Number({
            description: 'Share of the generated tasks that were filtered out, if a model wrote them',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    filtered: Type.Array(FilterCount),
    statistics: Type.Array(SetStatistics),
    files: defineRecord(Sha256, { description: 'SHA-256 of each file next to this one, by path' }),
  },
  { additionalProperties: false },
)
export type Manifest = Static<typeof Manifest>

/** A benchmark folder as one JSON body. */
export const BenchmarkFolder = Type.Object(
  {
    manifest: Manifest,
    cases: Type.String({ minLength: 2, description: 'The text of cases.jsonl' }),
    readme: Type.Optional(Type.String({ description: 'The text of README.md' })),
    artifacts: Type.Optional(
      defineRecord(Type.String({ description: 'The bytes of artifacts/<sha256>, in base64' }), {
        names: Sha256,
      }),
    ),
  },
  { additionalProperties: false },
)
export type BenchmarkFolder = Static<typeof BenchmarkFolder>

/** The number of samples to generate from a seed. */
export const SeededSet = Type.Object(
  {
    kind: Type.String({ minLength: 1, maxLength: 100, description: 'The kind of benchmark' }),
    samples: Type.Integer({ minimum: 1, maximum: 1000, description: 'Number of samples to make' }),
    seed: Type.Optional(Type.Union(Seed.anyOf, { default: 1, description: 'Same seed, same bytes' })),
    composition: Type.Optional(
      Type.Literal('paper', {
        description: 'The shares of domains, and about the steps and calls, of the published set',
      }),
    ),
    contextTokens: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 200_000,
        description: 'About how long a dialogue is: its responses are padded with those of other domains',
      }),
    ),
    argumentTokens: Type.Optional(
      Type.Integer({
        minimum: 50,
        maximum: 2000,
        description: 'About how long a token or key is that a call takes from an earlier response',
      }),
    ),
    generalise: Type.Optional(
      Type.String({
        minLength: 2,
        description:
          'Samples in the published format, a JSON object a line, whose queries and paths get other values. Default: the kind’s own',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SeededSet = Static<typeof SeededSet>

/** Published data of a benchmark, as text files by path; the benchmark determines which it needs. */
export const Dataset = Type.Object(
  {
    kind: Type.String({ minLength: 1, maxLength: 100, description: 'The kind of benchmark' }),
    files: defineRecord(Type.String(), { names: Type.String({ maxLength: 200 }), maxProperties: 200 }),
    strict: Type.Optional(
      Type.Boolean({
        description: 'Whether data with a warning is refused; by default it is kept and marked',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Dataset = Static<typeof Dataset>
