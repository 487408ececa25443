/**
 * How a model family is shown a list of calls, in examples and as the reference's answer: what its released
 * parser reads.
 */
import {
  formatPyJson,
  type PyDict,
  getPyMember,
  type PyValue,
  formatPyRepr,
  formatPyStr,
} from '../python/value.ts'
import type { AnswerFamily } from '../answer/released.ts'

/** A list of calls as the family writes it. */
export function formatAnswerOfFamily(calls: readonly PyDict[], family: AnswerFamily): string {
  const each = calls.map(formatPyJson)
  switch (family) {
    case 'xlam':
      return `{"tool_calls": [${each.join(', ')}]}`
    case 'hermes':
      return each.map((call) => `<tool_call>\n${call}\n</tool_call>`).join('\n')
    case 'granite-20b':
      return each.map((call) => `<function_call>${call}`).join('')
    case 'granite':
      return `<|tool_call|>[${each.join(', ')}]`
    case 'toolace':
      return `[${calls.map(formatCallExpression).join(', ')}]`
    default:
      return `[${each.join(', ')}]`
  }
}

const formatCallExpression = (call: PyDict): string => {
  const args = [...((getPyMember(call, 'arguments') ?? new Map()) as PyDict)]
  return `${formatPyStr(getPyMember(call, 'name') ?? '')}(${args.map(([key, value]: [PyValue, PyValue]) => `${formatPyStr(key)}=${formatPyRepr(value)}`).join(', ')})`
}

/**
 * The format as the prompt describes it. @param label the label of the first call, as the case's own calls
 * have it.
 */
export function formatText(family: AnswerFamily, label: string): string {
  const item = `{"name": "function name", "label": "${label}", "arguments": {"parameter": "value"}}`
  switch (family) {
    case 'granite':
      return `<|tool_call|>[${item}, ...]`
    case 'granite-20b':
      return `<function_call>${item}, with one <function_call> for each call`
    case 'hermes':
      return `<tool_call>\n${item}\n</tool_call>, with one pair of tags for each call`
    case 'xlam':
      return `{"tool_calls": [${item}, ...]}`
    case 'toolace':
      return `[function_name(parameter="value"), ...]; the calls have the labels ${label} and so on, in order`
    default:
      return `[${item}, ...]`
  }
}
