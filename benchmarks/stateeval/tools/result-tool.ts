/** The function that ends a dialogue: its parameters are the keys of RESULT. */
import {
  findInfiniteNumber,
  isRecord,
  type Case,
  type JsonObject,
  type ModelTool,
  type ModelToolCall,
  findDeepMember,
} from '@stateeval/contracts'
import { isTensorLike, listExecutionPaths, listResultKeys } from '@stateeval/program'

export const resultTool = 'submit_result'

/** Describes a key's value, from what the reference left in it. */
function describeResultSchema(values: readonly unknown[]): JsonObject {
  const types = new Set(values.map(describeJsonType))
  const [type] = types
  return types.size === 1 && type !== undefined ? { type } : {}
}

/** A tensor goes by its name. */
function describeJsonType(value: unknown): string | undefined {
  if (isTensorLike(value)) return 'string'
  if (Array.isArray(value)) return 'array'
  if (isRecord(value)) return 'object'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined
}

/** Keys that not every path has are not required. */
export function createResultTool({ program, oracles }: Case): ModelTool {
  const paths = listExecutionPaths(program).map(({ result }) => result)
  const keys = listResultKeys(program)
  const valuesOf = (key: string) =>
    oracles.flatMap(({ result: value }) => (isRecord(value) && Object.hasOwn(value, key) ? [value[key]] : []))
  return {
    name: resultTool,
    description:
      'Ends the task with RESULT: its keys as the task names them. Call it once, as the last function.',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, describeResultSchema(valuesOf(key))])),
      required: keys.filter((key) => paths.every((path) => path.some((entry) => entry.key === key))),
      additionalProperties: false,
    },
  }
}

/** RESULT, or what is wrong with the call. */
export function parseResult({ arguments: text }: ModelToolCall): { result: JsonObject } | { fault: string } {
  const fault = `${resultTool} takes RESULT as a JSON object`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault }
  }
  if (!isRecord(value)) return { fault }
  if (findDeepMember(value) !== null) return { fault: `${fault}; this one is nested too deeply` }
  const infinite = findInfiniteNumber(value)
  if (infinite !== null) return { fault: `${fault}; the number at ${infinite} is beyond ${Number.MAX_VALUE}` }
  return { result: value as JsonObject }
}
