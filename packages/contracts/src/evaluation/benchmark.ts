/** A benchmark as a resource of the evaluation service. */
import Type, { type Static } from 'typebox'
import { RequestedProvider } from '../tensor.ts'
import { jobFields } from '../job.ts'
import { UsageBudget, Usage } from '../model.ts'
import { Sha256 } from '../basics/sha256.ts'
import { BuildOptions } from './build.ts'
import { Manifest } from './folder.ts'
import { WritingOptions } from './writing.ts'

/** A set of test cases as a resource: a job while it is built. */
export const BenchmarkResource = Type.Object(
  {
    ...jobFields,
    kind: Type.String({ description: 'The kind of benchmark' }),
    origin: Type.Union([Type.Literal('build'), Type.Literal('import'), Type.Literal('review')]),
    build: Type.Optional(BuildOptions),
    writing: Type.Optional(
      Type.Object(
        { ...WritingOptions.properties, specification: Sha256, model: Type.String() },
        {
          additionalProperties: false,
          description: 'If a model wrote the tasks: the method, the specification (SHA-256), and the model',
        },
      ),
    ),
    reviewed: Type.Optional(Type.String({ description: 'The build whose instructions people reviewed' })),
    provider: Type.Optional(RequestedProvider),
    usage: Type.Optional(Usage),
    costUsd: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'Cost of the agents in US dollars; null if a model has no prices',
      }),
    ),
    budget: Type.Optional(UsageBudget),
    manifest: Type.Optional(Manifest),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Irregularities of the published data that the import left unchanged',
      }),
    ),
  },
  { additionalProperties: false },
)
export type BenchmarkResource = Static<typeof BenchmarkResource>
