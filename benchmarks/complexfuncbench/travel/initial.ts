/** The form of an initial travel world, as cases and tool sessions have it. */
import { type JsonValue, findSchemaFault } from '@stateeval/contracts'
import Type, { type Static } from 'typebox'

export const TravelInitial = Type.Object(
  {
    seed: Type.String({ minLength: 1, maxLength: 100 }),
    /** Characters that its tokens have at least. */
    tokenLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    hidden: Type.Optional(
      Type.Array(
        Type.Object(
          {
            function: Type.String({ minLength: 1, maxLength: 100 }),
            ids: Type.Array(Type.String({ minLength: 1, maxLength: 20_000 }), { minItems: 1, maxItems: 200 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200 },
      ),
    ),
  },
  { additionalProperties: false },
)
export type TravelInitial = Static<typeof TravelInitial>

/** The world, or what is wrong with the value, naming the field. */
export function readInitial(value: JsonValue): TravelInitial | { fault: string } {
  const fault = findSchemaFault(TravelInitial, value)
  return fault
    ? { fault: `world${fault.field.replaceAll('/', '.')}: ${fault.says}; give { "seed": "…", "hidden": [] }` }
    : (value as TravelInitial)
}
