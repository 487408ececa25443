/** Short ways to write the schemas of functions. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'

export interface SampleFunction {
  name: string
  description: string
  parameters: JsonObject
}

type SchemaRules = Readonly<Record<string, JsonValue>>
interface SchemaParameter {
  schema: JsonObject
  required: boolean
}

const of =
  (type: string) =>
  (description: string, rules: SchemaRules = {}): SchemaParameter => ({
    schema: { type, description, ...rules },
    required: true,
  })
export const text = of('string')
export const number = of('number')
export const integer = of('integer')
export const list = of('array')
export const flag = of('boolean')
export const makeOptional = ({ schema }: SchemaParameter): SchemaParameter => ({ schema, required: false })

export const define = (
  name: string,
  description: string,
  parameters: Readonly<Record<string, SchemaParameter>>,
): SampleFunction => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(parameters).map(([key, { schema }]) => [key, schema])),
    required: Object.entries(parameters).flatMap(([key, { required }]) => (required ? [key] : [])),
  },
})
