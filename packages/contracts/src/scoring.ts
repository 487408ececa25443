/** Verdicts and scores. */
import Type, { type Static } from 'typebox'

/** Verdicts for code, in the order in which they are shown (StateEval, section IV-E, refined). */
export const codeVerdicts = [
  'passed',
  'no_code',
  'syntax_error',
  'execution_error',
  'result_error',
  'timeout',
  'resource_limit',
  'infrastructure_error',
] as const
export type CodeVerdict = (typeof codeVerdicts)[number]

/** StateEval, section IV-F: why a case failed. */
export const rootCauses = ['documentation_misread', 'instruction_not_followed', 'implicit_state_mismanaged'] as const
const [misread, notFollowed, mismanaged] = rootCauses
export const RootCause = Type.Union([Type.Literal(misread), Type.Literal(notFollowed), Type.Literal(mismanaged)])
export type RootCause = (typeof rootCauses)[number]

/** One place where expected and found differ, in words that a person can act on. */
export const Difference = Type.Object(
  {
    where: Type.String({ description: 'result, or state, with the path inside it' }),
    expected: Type.Optional(Type.String()),
    found: Type.Optional(Type.String()),
    says: Type.String({ description: 'The difference as a sentence' }),
  },
  { additionalProperties: false },
)
export type Difference = Static<typeof Difference>

export const Evidence = Type.Object(
  {
    input: Type.Optional(Type.Integer({ minimum: 0, description: 'The first input that failed' })),
    differences: Type.Array(Difference),
    error: Type.Optional(
      Type.Object(
        { name: Type.String(), message: Type.String(), line: Type.Optional(Type.Integer()), status: Type.Optional(Type.Integer()) },
        { additionalProperties: false },
      ),
    ),
    rootCause: Type.Optional(
      Type.Object({ cause: RootCause, because: Type.String() }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
)
export type Evidence = Static<typeof Evidence>

export const Score = Type.Object(
  {
    passed: Type.Boolean(),
    verdict: Type.String({ description: 'From the benchmark’s own closed list' }),
    metrics: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()])),
    evidence: Evidence,
  },
  { additionalProperties: false },
)
export type Score = Static<typeof Score>
