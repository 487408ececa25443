/** A benchmark as a resource of the evaluation service. */
import Type, { type Static } from 'typebox'
import { RequestedProvider } from '../tensor.ts'
import { jobFields } from '../job.ts'
import { Budget, Usage } from '../model.ts'
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
          description:
            'Where a model wrote the tasks: how, from which specification (SHA-256), and which model',
        },
      ),
    ),
    reviewed: Type.Optional(Type.String({ description: 'The build whose instructions were decided about' })),
    provider: Type.Optional(RequestedProvider),
    usage: Type.Optional(Usage),
    costUsd: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'Of agents, in US dollars; null where a model has no prices',
      }),
    ),
    budget: Type.Optional(Budget),
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
