/**
 * APIs as tools that a model calls natively. Chat APIs take letters, digits, _ and - in a tool's name: others
 * are replaced.
 */
import { getOwnMember, type JsonValue, type ModelTool } from '@stateeval/contracts'
import type { ApiSpecification, ApiParameter } from '../dataset/library.ts'
import { readWhole } from '../python/read.ts'
import { getPyMember, formatPyStr } from '../python/value.ts'

const longest = 64

/** The names of tools by names of APIs, all different. */
export function nameTools(names: readonly string[]): Map<string, string> {
  const usedNames = new Set<string>()
  return new Map(
    names.map((name) => {
      const base = name.replaceAll(/[^\w-]/g, '_').slice(0, longest) || 'function'
      let toolName = base
      for (let n = 2; usedNames.has(toolName); n++)
        toolName = `${base.slice(0, longest - String(n).length - 1)}_${n}`
      usedNames.add(toolName)
      return [name, toolName]
    }),
  )
}

const types: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  int: 'integer',
  float: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
}

export function buildNestfulTools(apis: readonly ApiSpecification[]): ModelTool[] {
  const names = nameTools(apis.map(({ name }) => name))
  return apis.map((api) => {
    const specification = readWhole(api.shown)
    const outputs = Object.keys(api.outputs)
    const about = formatPyStr(getPyMember(specification, 'description') ?? '')
    return {
      name: names.get(api.name)!,
      description: `${about} Output parameters: ${outputs.join(', ') || 'none'}.`.trim(),
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(api.parameters).map(([name, parameter]) => [name, buildParameterSchema(parameter)]),
        ),
        required: Object.entries(api.parameters).flatMap(([name, { required }]) => (required ? [name] : [])),
      },
    }
  })
}

/** A reference is a text, whatever the parameter's type is. */
function buildParameterSchema({ type, about, allowed }: ApiParameter): JsonValue {
  const jsonType = type === null ? undefined : getOwnMember(types, type.toLowerCase())
  const description = [about, allowed ? `One of: ${allowed.join(', ')}` : ''].filter(Boolean).join(' ')
  return {
    ...(jsonType !== undefined && { type: jsonType === 'string' ? 'string' : [jsonType, 'string'] }),
    ...(description !== '' && { description }),
  }
}
