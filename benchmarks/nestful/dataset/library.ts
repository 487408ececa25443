/**
 * The APIs of a part of version 1: its specifications in one form, with what the published samples show of
 * them besides.
 */
import type { Example } from '../case.ts'
import { Dict, isDict, jsonOf, memberOf, type Py, str } from '../python/value.ts'

export interface Parameter {
  type: string | null
  required: boolean
  about: string
  /** Values that are allowed, as texts; null where any is. */
  allowed: string[] | null
}
/** How an API is reached. */
export interface Http {
  method: 'GET' | 'POST'
  host: string
  endpoint: string
  /** Parameters that go into the path. */
  path: string[]
  /** Place of the outputs in a response: `result.data[0].{param}`. */
  parser: string
}
export interface Api {
  name: string
  /** Text that a prompt shows of it: the specification without addresses, as JSON text. */
  shown: string
  parameters: Record<string, Parameter>
  /** Output parameters with their types, nested ones by dotted path. */
  outputs: Record<string, string>
  http?: Http
}
/** Data that the cases of a part share; stored beside them under its hash. */
export interface Library {
  part: string
  apis: Api[]
  examples: Example[]
}

const parameterKeys = ['query_parameters', 'path_parameters', 'parameters', 'arguments'] as const
const hidden = new Set(['method', 'endpoint', 'host', 'url', 'output_parser'])

/** An entry of a specification file. Throws where it is none: the message goes on from its place. */
export function apiOf(entry: Py): Api {
  const name = memberOf(entry, 'name')
  if (!isDict(entry) || typeof name !== 'string' || name === '') throw new Error('has no `name`')
  const parameters: Record<string, Parameter> = {}
  for (const key of parameterKeys)
    for (const [parameter, about] of entriesOf(memberOf(entry, key)))
      parameters[parameter] = {
        type: typeof memberOf(about, 'type') === 'string' ? (memberOf(about, 'type') as string) : null,
        required: memberOf(about, 'required') === true,
        about: str(memberOf(about, 'description') ?? ''),
        allowed: allowedOf(memberOf(about, 'enum') ?? memberOf(about, 'allowed_values')),
      }
  const outputs: Record<string, string> = {}
  for (const [output, about] of entriesOf(memberOf(entry, 'output_parameters')))
    addOutputs(outputs, output, about)
  const http = httpOf(entry)
  const specification = jsonOf(shownPart(entry))
  return { name, shown: specification, parameters, outputs, ...(http && { http }) }
}

const shownPart = (entry: Dict): Dict => new Dict([...entry].filter(([key]) => !hidden.has(str(key))))

const entriesOf = (value: Py | undefined): [string, Py][] =>
  isDict(value) ? [...value].map(([key, item]): [string, Py] => [str(key), item]) : []

/** A list of values; texts such as `1-100` describe a range and allow whatever lies in it. */
const allowedOf = (value: Py | undefined): string[] | null =>
  Array.isArray(value) && value.length > 0 ? value.map(str) : null

function addOutputs(outputs: Record<string, string>, path: string, about: Py | undefined) {
  const type = typeof about === 'string' ? about : memberOf(about, 'type')
  outputs[path] = typeof type === 'string' ? type : 'string'
  const items = memberOf(about, 'items')
  for (const [name, inner] of entriesOf(memberOf(about, 'properties')))
    addOutputs(outputs, `${path}.${name}`, inner)
  for (const [name, inner] of entriesOf(memberOf(items, 'properties')))
    addOutputs(outputs, `${path}[0].${name}`, inner)
}

function httpOf(entry: Dict): Http | undefined {
  const [method, host, endpoint, parser] = ['method', 'host', 'endpoint', 'output_parser'].map((key) =>
    memberOf(entry, key),
  )
  if (typeof host !== 'string' || typeof endpoint !== 'string' || typeof parser !== 'string') return undefined
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    host,
    endpoint,
    path: entriesOf(memberOf(entry, 'path_parameters')).map(([name]) => name),
    parser,
  }
}
