/** Short ways to write the schemas of functions. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'

export interface SampleFunction {
  name: string
  description: string
  parameters: JsonObject
}

type Rules = Readonly<Record<string, JsonValue>>
export interface Parameter {
  schema: JsonObject
  required: boolean
}

const of =
  (type: string) =>
  (description: string, rules: Rules = {}): Parameter => ({
    schema: { type, description, ...rules },
    required: true,
  })
export const text = of('string')
export const number = of('number')
export const integer = of('integer')
export const list = of('array')
export const flag = of('boolean')
export const optional = ({ schema }: Parameter): Parameter => ({ schema, required: false })

export const define = (
  name: string,
  description: string,
  parameters: Readonly<Record<string, Parameter>>,
): SampleFunction => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(parameters).map(([key, { schema }]) => [key, schema])),
    required: Object.entries(parameters).flatMap(([key, { required }]) => (required ? [key] : [])),
  },
})
