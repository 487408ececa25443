/** What random draws start from. */
import Type from 'typebox'

export const Seed = Type.Union(
  [
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ minLength: 1, maxLength: 100 }),
  ],
  { description: 'Same seed, same bytes' },
)
