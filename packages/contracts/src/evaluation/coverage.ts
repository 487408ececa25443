/** How much of its scenarios a benchmark covers, and the round trip of its instructions. */
import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false } as const
const defineCount = (description: string) => Type.Integer({ minimum: 0, description })

const Curve = Type.Object(
  {
    programs: defineCount('All of them'),
    points: Type.Array(
      Type.Object(
        {
          programs: defineCount('Number of programs so far, in their order'),
          atc: Type.Number({
            description: 'Adjacent transition coverage: share of M² (StateEval, equation 3)',
          }),
          transitionPairs: defineCount('Distinct pairs linked by a state'),
        },
        closed,
      ),
      { description: 'At most 200, the last one included' },
    ),
  },
  closed,
)
export type CoverageCurve = Static<typeof Curve>

export const ScenarioCoverage = Type.Object(
  {
    scenario: Type.String(),
    apis: Type.Array(Type.String(), { description: 'The M APIs that programs may call' }),
    generated: Type.Union([Curve, Type.Null()], {
      description: 'Coverage of the programs generated for the build; null if they are not stored here',
    }),
    kept: Type.Union([Curve, Type.Null()], {
      description: 'Coverage of the set’s cases; null while the set is being built',
    }),
    pairs: Type.Array(
      Type.Object(
        {
          from: Type.String(),
          to: Type.String(),
          adjacent: defineCount('Programs in which one call directly follows the other'),
          linked: defineCount('Programs in which a state links the two calls'),
        },
        closed,
      ),
      {
        description:
          'Pairs that occur in the set’s cases or, while the set is being built, in the generated programs',
      },
    ),
  },
  closed,
)
export type ScenarioCoverage = Static<typeof ScenarioCoverage>

export const BenchmarkCoverage = Type.Object(
  {
    scenarios: Type.Array(ScenarioCoverage, {
      description: 'Empty if cases have no programs, or none were generated yet',
    }),
  },
  closed,
)
export type BenchmarkCoverage = Static<typeof BenchmarkCoverage>

export const RoundTrip = Type.Object(
  {
    cases: defineCount('Cases with a program'),
    verified: defineCount('Read instructions that have exactly one reading, which is the program'),
    others: Type.Array(Type.String(), { description: 'The other cases: at most 200 of them' }),
  },
  closed,
)
export type RoundTrip = Static<typeof RoundTrip>
