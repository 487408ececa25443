/** The paper’s three types of errors, counted. */
import Type, { type Static } from 'typebox'

/** Failures of one scenario by the paper’s three types. */
export const ErrorTypes = Type.Object(
  {
    name: Type.String({ description: 'The scenario' }),
    failed: Type.Integer(),
    syntax: Type.Integer({ description: 'No valid program, or no code at all' }),
    execution: Type.Integer({ description: 'Ended by an error, a time-out or a limit' }),
    result: Type.Integer({ description: 'Ran to its end with another RESULT or state' }),
  },
  { additionalProperties: false },
)
export type ErrorTypes = Static<typeof ErrorTypes>
