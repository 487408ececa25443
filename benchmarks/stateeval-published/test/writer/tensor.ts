/** Programs of tensor-operation in the published form. */
import type { JsonValue } from '@stateeval/contracts'
import {
  decodeBase64,
  hasData,
  interpret,
  isTensorLike,
  readNumbers,
  tensorKey,
  type TensorWithData,
} from '@stateeval/program'
import { buildInit, writeProgramText, type WrittenSource, withResults, type WrittenTest } from './write.ts'

/** How tensors are written: nested lists, or raw bytes as later versions do. */
type TensorForm = 'lists' | 'base64'

/** `inputs` hold the values of tensors. */
export function writeTensor(
  { program, scenario, inputs }: WrittenSource,
  form: TensorForm,
): WrittenTest[] | null {
  const resultProgram = withResults(program, (entries) => {
    const tensors = entries.map(({ value }) => value).filter(({ path }) => !path.includes(tensorKey))
    return tensors.length > 0 ? tensors : null
  })
  if (!resultProgram) return null
  const code = writeProgramText(resultProgram, (values) =>
    values.length === 1 ? values[0]! : values.map((value) => `${value}.sum()`).join(' + '),
  )
  const tests = inputs.map((input, n): WrittenTest | null => {
    const run = interpret(resultProgram, scenario, input)
    if (!run.ok) return null
    const values: unknown[] = Object.values(run.result)
    // A list of parts is no RESULT in the published form.
    if (!values.every(hasData)) return null
    const variables = Object.entries(input.variables) as [string, JsonValue][]
    const loads = variables.flatMap(([name, value]): [string, TensorWithData][] => {
      const tensor: unknown = value
      return hasData(tensor) ? [[name, tensor]] : []
    })
    const locals = variables.filter(([, value]) => !isTensorLike(value))
    return {
      result: buildTensorResult(values, form),
      state_oracle: null,
      program: code,
      program_info: {
        ...buildInit(locals, resultProgram.branch !== undefined && n === 0),
        init_implicit_dict: null,
        end_implict_list: null,
        init_load_str: loads
          .map(([name, { $tensor }]) => `${name} # shape: ${JSON.stringify($tensor.shape)}\n`)
          .join(''),
        init_load_info: loads.map(([name, tensor]) => [name, formatTensorJson(tensor, form)]),
      },
    }
  })
  return tests.every((one) => one !== null) ? tests : null
}

const listElements = ({ $tensor: { dtype, data } }: TensorWithData) => [
  ...readNumbers(dtype, decodeBase64(data)),
]
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** Several tensors are summed up; a tensor of one element becomes its number. */
function buildTensorResult(tensors: readonly TensorWithData[], form: TensorForm): JsonValue {
  if (tensors.length > 1) return sum(tensors.map((tensor) => sum(listElements(tensor))))
  const numbers = listElements(tensors[0]!)
  return numbers.length === 1 ? numbers[0]! : formatTensorJson(tensors[0]!, form)
}

function formatTensorJson(tensor: TensorWithData, form: TensorForm): JsonValue {
  const { shape, data } = tensor.$tensor
  if (form === 'base64') return { __tensor__: true, shape: [...shape], dtype: '<f4', data_b64: data }
  let items: JsonValue[] = listElements(tensor)
  for (const size of shape.toReversed())
    items = Array.from({ length: items.length / size }, (_, n) => items.slice(n * size, (n + 1) * size))
  return items[0]!
}
