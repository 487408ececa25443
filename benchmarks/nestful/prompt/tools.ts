/**
 * APIs as tools that a model calls natively. Chat APIs take letters, digits, _ and - in a tool's name: others
 * are replaced.
 */
import type { Json, ModelTool } from '@stateeval/contracts'
import type { Api, Parameter } from '../dataset/library.ts'
import { readWhole } from '../python/read.ts'
import { memberOf, str } from '../python/value.ts'

const longest = 64

/** The names of tools by names of APIs, all different. */
export function toolNames(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    names.map((name) => {
      const base = name.replaceAll(/[^\w-]/g, '_').slice(0, longest) || 'function'
      let own = base
      for (let n = 2; taken.has(own); n++) own = `${base.slice(0, longest - String(n).length - 1)}_${n}`
      taken.add(own)
      return [name, own]
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

export function toolsOf(apis: readonly Api[]): ModelTool[] {
  const names = toolNames(apis.map(({ name }) => name))
  return apis.map((api) => {
    const shown = readWhole(api.shown)
    const outputs = Object.keys(api.outputs)
    const about = str(memberOf(shown, 'description') ?? '')
    return {
      name: names.get(api.name)!,
      description: `${about} Output parameters: ${outputs.join(', ') || 'none'}.`.trim(),
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(api.parameters).map(([name, parameter]) => [name, schemaOf(parameter)]),
        ),
        required: Object.entries(api.parameters).flatMap(([name, { required }]) => (required ? [name] : [])),
      },
    }
  })
}

/** A reference is a text, whatever the parameter's type is. */
function schemaOf({ type, about, allowed }: Parameter): Json {
  const known = type === null ? undefined : types[type.toLowerCase()]
  const description = [about, allowed ? `One of: ${allowed.join(', ')}` : ''].filter(Boolean).join(' ')
  return {
    ...(known !== undefined && { type: known === 'string' ? 'string' : [known, 'string'] }),
    ...(description !== '' && { description }),
  }
}
