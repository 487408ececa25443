/**
 * The APIs as tools: a call names its arguments, and what is sent over HTTP follows from how the API is
 * called.
 */
import type { JsonObject, ModelTool } from '@stateeval/contracts'
import { parameters } from './documentation/parameters.ts'
import { apis, type SessionServiceApi } from './documentation/text.ts'
import { operations } from './operations/index.ts'

type ParameterName = keyof typeof parameters

interface SessionTool {
  method: string
  /** With {name} in the place of an argument. */
  path: string
  query: readonly ParameterName[]
  body: ParameterName | undefined
  /** In the order of the path, then the query, then the body. All are required. */
  takes: readonly ParameterName[]
}

const placeholder = /\{(\w+)\}/g

const byName: ReadonlyMap<string, SessionTool> = new Map(
  operations.map(({ id, say: { call } }) => {
    if (call.kind !== 'http') throw new Error(`${id} is not an HTTP API`)
    const query = (call.query ?? []) as ParameterName[]
    const body = call.body as ParameterName | undefined
    const inPath = [...call.path.matchAll(placeholder)].map(([, name]) => name as ParameterName)
    return [
      id,
      {
        method: call.method,
        path: call.path,
        query,
        body,
        takes: [...inPath, ...query, ...(body === undefined ? [] : [body])],
      },
    ]
  }),
)

/** All APIs, in the order of the documentation. */
export const tools: readonly ModelTool[] = [...byName].map(([name, { takes }]) => {
  const { title, says } = apis[name as SessionServiceApi]
  return {
    name,
    description: `${title.charAt(0).toUpperCase()}${title.slice(1)}.\n\n${says}`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(takes.map((parameter) => [parameter, parameters[parameter]])),
      required: [...takes],
      additionalProperties: false,
    },
  }
})

type ToolRequest = { method: string; url: string; body?: string } | { fault: string }

/** The request that a call stands for; a fault where it is none, as no API would be reached. */
export function buildToolRequest(name: string, args: JsonObject): ToolRequest {
  const tool = byName.get(name)
  if (!tool)
    return {
      fault: `there is no tool ${JSON.stringify(name.slice(0, 60))}; available: ${[...byName.keys()].join(', ')}`,
    }
  const has = `it has ${tool.takes.join(', ')}`
  const unknown = Object.keys(args).find((key) => !(tool.takes as readonly string[]).includes(key))
  if (unknown !== undefined)
    return { fault: `${name} has no parameter ${JSON.stringify(unknown.slice(0, 60))}; ${has}` }
  for (const parameter of tool.takes) {
    const value = Object.hasOwn(args, parameter) ? args[parameter] : undefined
    if (value === undefined) return { fault: `${name} needs ${parameter}; ${has}` }
    if (parameter !== tool.body && (value === null || typeof value === 'object'))
      return { fault: `${parameter} must be a string` }
  }
  const text = (parameter: string) => encodeURIComponent(String(args[parameter]).toWellFormed())
  const path = tool.path.replace(placeholder, (_, parameter: string) => text(parameter))
  const query = tool.query.map((parameter) => `${parameter}=${text(parameter)}`).join('&')
  return {
    method: tool.method,
    url: query === '' ? path : `${path}?${query}`,
    ...(tool.body !== undefined && { body: JSON.stringify(args[tool.body]) }),
  }
}
