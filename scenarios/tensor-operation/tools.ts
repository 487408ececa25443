/**
 * The six functions as tools that are called one by one, read out of the documentation: their parameters from
 * the signatures, what is said of each from the tables. Tensors stay in the world and go by names.
 */
import type { JsonValue, ModelTool } from '@stateeval/contracts'
import { findExtreme, type HandleRules, isTensor } from '@stateeval/program'
import { apis, type TensorApi } from './documentation/text.ts'

const name = { type: 'string' } as const
const integer = { type: 'integer' } as const
const integers = { type: 'array', items: integer } as const
const oneOrList = { anyOf: [integer, integers] } as const
const schemas = {
  tensor: name,
  input: name,
  weight: name,
  bias: name,
  tensors: { type: 'array', items: name },
  dims: integers,
  split_size_or_sections: oneOrList,
  stride: oneOrList,
  dilation: oneOrList,
  padding: { anyOf: [integer, integers, { type: 'string', enum: ['valid', 'same'] }] },
  dim: integer,
  dim0: integer,
  dim1: integer,
  groups: integer,
} as const
type TensorParameter = keyof typeof schemas

/** Parameters that take a tensor, or a list of them. */
export const isTensorParameter = (parameter: string) =>
  ['tensor', 'input', 'weight', 'bias', 'tensors'].includes(parameter)

const named = 'a tensor, by its name'
const meanings: Partial<Record<TensorParameter, string>> = {
  tensor: named,
  input: named,
  tensors: 'tensors, by their names',
  weight: named,
  bias: named,
}

function buildTensorTool(api: TensorApi): ModelTool {
  const [heading = '', ...paragraphs] = apis[api].split('\n\n')
  const signature = /^`torch[\w.]*\((.*)\)`$/.exec(paragraphs[0] ?? '')?.[1]
  if (signature === undefined) throw new Error(`the documentation of ${api} has no signature`)
  const said = new Map(
    [...apis[api].matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, parameter, text]) => [parameter, text]),
  )
  const parameters = signature.split(', ').map((text) => {
    const [parameter = '', otherwise] = text.split('=')
    const about = [
      meanings[parameter as TensorParameter],
      said.get(parameter),
      otherwise === undefined ? undefined : `default: ${otherwise}`,
    ].filter((part) => part !== undefined)
    const { [parameter as TensorParameter]: schema } = schemas
    return {
      parameter,
      isRequired: otherwise === undefined,
      schema: { ...schema, ...(about.length > 0 && { description: about.join('; ') }) },
    }
  })
  const title = heading.replace(/^## \w+: /, '')
  const text = paragraphs.slice(1).filter((paragraph) => !paragraph.startsWith('|'))
  const list = api === 'split' ? 'They are a list of tensors.' : ''
  const sentences = [
    `${title.charAt(0).toUpperCase()}${title.slice(1)}.`,
    ...text.map((one) => one.trim()),
    list,
  ]
  return {
    name: api,
    description: sentences.filter(Boolean).join(' '),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ parameter, schema }) => [parameter, schema])),
      required: parameters.filter(({ isRequired }) => isRequired).map(({ parameter }) => parameter),
      additionalProperties: false,
    },
  }
}

/** In the order of the documentation. */
export const tools: readonly ModelTool[] = (Object.keys(apis) as TensorApi[]).map(buildTensorTool)

/** A tensor as callers see it; of a large one nobody says where its extremes stand. */
interface ToolHandle {
  [key: string]: JsonValue
  tensor: string
  dtype: string
  shape: number[]
}
export const createHandle = (
  tensor: string,
  { dtype, shape, data }: { dtype: string; shape: readonly number[]; data?: string },
): ToolHandle => {
  const value = { dtype: dtype as 'float32', ...(data !== undefined && { data }) }
  return {
    tensor,
    dtype,
    shape: [...shape],
    ...(data !== undefined &&
      !shape.includes(0) && {
        argmax: findExtreme(value, 'argmax'),
        argmin: findExtreme(value, 'argmin'),
      }),
  }
}

export const handles: HandleRules = {
  about:
    'A tensor is shown as an object: its name (`tensor`), `dtype` and `shape`; `argmax` and `argmin` are the zero-based row-major indices of its largest and its smallest element. Pass a tensor by its name, such as "x" for the variable x or "result_1" for what a call returned. Dimensions are counted from 0; a negative one is counted from the end.',
  show: (variables) =>
    Object.fromEntries(
      Object.entries(variables).map(([variable, value]) => [
        variable,
        isTensor(value)
          ? createHandle(variable, value.$tensor as { dtype: string; shape: number[]; data?: string })
          : value,
      ]),
    ),
}
