/** Arguments of the APIs, as JSON Schema: the service's contract and the tools are made from it. */
import Type from 'typebox'
import { sessionTypes } from '../types.ts'

export const parameters = {
  source: Type.String({
    description: 'Who the session belongs to. At least 3 characters when a session is added',
    examples: ['portal'],
  }),
  type: Type.Enum([...sessionTypes], { description: 'The type of the session', examples: ['settings'] }),
  id: Type.String({
    description: 'The id that the service gave',
    examples: ['700000000000000000000001'],
  }),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The session’s data: any object',
      examples: [{ title: 'Lung study', filters: { stage: ['II', 'III'] } }],
    },
  ),
  filter: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The filter: paths of fields with values or operators',
      examples: [{ 'data.age': { $gt: 30 } }],
    },
  ),
  field: Type.String({
    description:
      'The path of the field in the stored session: data.title, data.filters.stage; also source, type, id',
    examples: ['data.title'],
  }),
  value: Type.String({
    description: 'The text that the field must equal, case-sensitively',
    examples: ['Lung study'],
  }),
} as const
