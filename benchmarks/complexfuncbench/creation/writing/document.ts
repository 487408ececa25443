/** The document from which queries are written: the document that a build from a specification takes. */
import { type JsonValue, ProblemError, findSchemaFault } from '@stateeval/contracts'
import Type, { type Static } from 'typebox'
import type { LearnedSample } from '../learning/learn-template.ts'
import { readLearnedSamples } from '../learning/read-samples.ts'
import { travelFunctions } from '../../travel/functions.ts'

const WritingDocument = Type.Object(
  {
    samples: Type.Integer({ minimum: 1, maximum: 1000 }),
    seed: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1, maxLength: 100 })]),
    ),
    /** Only subsets of these. */
    functions: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 2, maxItems: 100 })),
    /** Samples in the published format, a JSON object a line, whose queries get other values. */
    generalise: Type.Optional(Type.String({ minLength: 2 })),
    /** Calls one after the other at least. */
    steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
  },
  { additionalProperties: false },
)
type WritingRequest = Static<typeof WritingDocument>
export type WritingDocument = Required<Omit<WritingRequest, 'generalise'>> & {
  /** The samples to generalise in turn; none: queries are new. */
  originals: readonly LearnedSample[]
}

const rejectDocument = (says: string): never => {
  throw new ProblemError(
    'unprocessable',
    `${says}. Give JSON such as {"samples": 20, "seed": 1}, optionally with "functions" and "steps"`,
    '/specification',
  )
}

/** Throws a ProblemError that names what is wrong. */
export function readDocument(text: string): WritingDocument {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return rejectDocument('the specification is not valid JSON')
  }
  const fault = findSchemaFault(WritingDocument, value)
  if (fault) return rejectDocument(`${fault.field || 'the specification'} ${fault.says}`)
  const all = travelFunctions.map(({ name }) => name)
  const { samples, seed = 1, functions = all, generalise, steps } = value as WritingRequest
  const originals = generalise === undefined ? [] : readLearnedSamples(generalise)
  const unknown = functions.find((name) => !all.includes(name))
  return unknown === undefined
    ? { samples, seed, functions, originals, steps: steps ?? (originals.length > 0 ? 1 : 2) }
    : rejectDocument(`there is no function ${unknown}; available: ${all.join(', ')}`)
}
