/** The part of a case that is about a live world: which world it is, and what a dialogue must leave in it. */
import { isRecord, type JsonValue, defineRecord, findSchemaFault } from '@stateeval/contracts'
import Type, { type Static } from 'typebox'
import { TravelInitial } from '../travel/initial.ts'

const closed = { additionalProperties: false } as const

export const LivePart = Type.Object(
  {
    world: TravelInitial,
    /**
     * The final text and the functions that are offered: there where the case has no line, as its responses
     * are the world's.
     */
    answer: Type.Optional(Type.String({ minLength: 1, maxLength: 100_000 })),
    functions: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 200 })),
    left: Type.Object(
      {
        heard: Type.Array(
          Type.Object(
            {
              function: Type.String({ minLength: 1, maxLength: 100 }),
              says: Type.String({ pattern: '^[0-9a-f]{32}$' }),
            },
            closed,
          ),
          { maxItems: 1000 },
        ),
        bookings: Type.Array(
          Type.Object(
            {
              kind: Type.Enum(['hotel', 'flight', 'car', 'attraction', 'taxi']),
              status: Type.Enum(['confirmed', 'cancelled']),
              details: defineRecord(Type.Unknown()),
            },
            closed,
          ),
          { maxItems: 100 },
        ),
      },
      closed,
    ),
  },
  closed,
)
export type LivePart = Static<typeof LivePart>

/**
 * Reads the additions to a published line, under `live`; null where it has nothing. Derivations stand
 * there, too: they are for readers, and stay in the line.
 */
export function readLiveParts(line: string): { live: LivePart } | { fault: string } | null {
  const sample = parsePublishedLine(line)
  if (!isRecord(sample) || sample['live'] === undefined) return null
  const { live } = sample
  if (!isRecord(live)) return { fault: 'has a member `live` that is not an object' }
  const { derivations: _, ...part } = live
  const fault = findSchemaFault(LivePart, part)
  return fault
    ? { fault: `has live${fault.field.replaceAll('/', '.')}: ${fault.says}` }
    : { live: part as unknown as LivePart }
}

/** Published lines may hold what JSON has no words for, such as NaN: none of them is about a live world. */
function parsePublishedLine(line: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return null
  }
}
