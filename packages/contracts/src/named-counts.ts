/** Counts by names that a benchmark chooses. */
import Type, { type Static } from 'typebox'

/** An entry of a list: its subject, and counts of samples. */
export const NamedCounts = Type.Unsafe<{ name: string; [count: string]: string | number }>(
  Type.Object(
    { name: Type.String({ description: 'What is counted' }) },
    {
      additionalProperties: Type.Integer({ minimum: 0 }),
      description: 'Counts of samples, by the benchmark’s own names',
    },
  ),
)
export type NamedCounts = Static<typeof NamedCounts>
