/** Operations with bodies, and what is made of them, for tests of large bodies. */
import { defineOperations } from '@stateeval/contracts'
import Type from 'typebox'
import { declareBodyComputation, declareBodyReader } from '../src/bodies.ts'

const about = {
  method: 'POST',
  scope: 'run',
  tag: 'things',
  summary: 'Take a body',
  description: 'Takes a body and says what it was.',
  bodyLimit: 64 * 2 ** 20,
  success: { 200: { description: 'The body', schema: Type.Unknown() } },
  errors: [400, 413, 415, 422],
} as const
const List = Type.Object(
  {
    list: Type.Array(Type.Unknown(), { maxItems: 100_000 }),
    size: Type.Optional(Type.Integer({ default: 3 })),
  },
  { additionalProperties: false },
)

export const operations = defineOperations({
  take: { ...about, path: '/take', body: List },
  count: { ...about, path: '/count', body: List, bodyParts: 1_000_000 },
  sum: {
    ...about,
    path: '/sum',
    body: List,
    success: { 200: { description: 'The sum', schema: Type.Object({ sum: Type.Number() }) } },
  },
})

interface Listed {
  list: unknown[]
}
export const works = {
  count: declareBodyReader(({ list }: Listed) => ({ count: list.length })),
  sum: declareBodyComputation(
    ({ list }: Listed) => ({ sum: list.reduce<number>((sum, one) => sum + Number(one), 0) }),
    {
      takesLong: ({ list }: Listed) => list[0] === 'slow',
    },
  ),
}
