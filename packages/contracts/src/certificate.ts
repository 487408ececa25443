/**
 * A truth certificate of a benchmark: the signed figures of replaying its references, mutating them, and
 * reading its instructions back. Anyone can check the signature and reproduce the figures.
 */
import Type, { type Static } from 'typebox'
import { Sha256 } from './basics/sha256.ts'
import { Manifest } from './evaluation/folder.ts'
import { EvaluationOptions } from './evaluation/options.ts'

const closedObject = { additionalProperties: false } as const
const count = Type.Integer({ minimum: 0 })

/** An evaluation that figures come from: with these options it can be repeated, to the same bytes. */
const proof = {
  options: EvaluationOptions,
  result: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the canonical JSON of its result',
  }),
}

export const CertificateStatement = Type.Object(
  {
    certificate: Type.Literal(1),
    madeAt: Type.String({ format: 'date-time' }),
    benchmark: Type.Object(
      {
        digest: Sha256,
        kind: Type.String(),
        versions: Manifest.properties.versions,
        seed: Manifest.properties.seed,
        options: Manifest.properties.options,
        counts: Manifest.properties.counts,
        files: Manifest.properties.files,
      },
      closedObject,
    ),
    version: Type.String({ description: 'Version of the scoring code' }),
    replay: Type.Array(
      Type.Object({ ...proof, cases: count, passed: count, notScored: count }, closedObject),
      { minItems: 1, description: 'The reference answers of all cases, by the language of the programs' },
    ),
    mutation: Type.Union(
      [
        Type.Object(
          {
            ...proof,
            mutants: Type.Integer({ minimum: 0, description: 'Mutants to which an operator applied' }),
            caught: count,
            survived: count,
            equivalent: count,
            disputed: count,
            notScored: count,
            score: Type.Union([Type.Number(), Type.Null()], { description: 'caught / non-equivalent' }),
          },
          closedObject,
        ),
        Type.Null(),
      ],
      { description: 'null if the benchmark has no mutants' },
    ),
    roundTrip: Type.Union(
      [
        Type.Object(
          {
            cases: count,
            verified: Type.Integer({
              minimum: 0,
              description: 'Instructions with exactly one reading, which is the case’s program',
            }),
            others: Type.Array(Type.String(), { description: 'Cases whose instruction is not verified' }),
          },
          closedObject,
        ),
        Type.Null(),
      ],
      { description: 'null if cases have no programs of scenarios' },
    ),
    failedByAll: Type.Object(
      {
        models: Type.Array(Type.Object({ model: Type.String(), ...proof }, closedObject), {
          description: 'Every model that the certifying installation has evaluated',
        }),
        cases: Type.Array(Type.String(), { description: 'Cases that no sample of any model passed' }),
      },
      { ...closedObject, description: 'Such a case is hard, or its oracle is wrong; review it' },
    ),
  },
  closedObject,
)
export type CertificateStatement = Static<typeof CertificateStatement>

export const Certificate = Type.Object(
  {
    statement: CertificateStatement,
    signature: Type.Object(
      {
        algorithm: Type.Literal('Ed25519'),
        key: Type.String({ description: 'The public key: SubjectPublicKeyInfo (DER) in base64' }),
        keyId: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the public key' }),
        value: Type.String({ description: 'Base64; over the canonical JSON (RFC 8785) of the statement' }),
      },
      closedObject,
    ),
  },
  closedObject,
)
export type Certificate = Static<typeof Certificate>
