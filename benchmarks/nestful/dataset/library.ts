/**
 * The APIs of a part of version 1: its specifications in one form, with what the published samples show of
 * them besides.
 */
import type { SolvedExample } from '../case.ts'
import { PyDict, isDict, formatPyJson, getPyMember, type PyValue, formatPyStr } from '../python/value.ts'

export interface ApiParameter {
  type: string | null
  required: boolean
  about: string
  /** Values that are allowed, as texts; null where any is. */
  allowed: string[] | null
}
/** How an API is reached. */
export interface ApiHttp {
  method: 'GET' | 'POST'
  host: string
  endpoint: string
  /** Parameters that go into the path. */
  path: string[]
  /** Place of the outputs in a response: `result.data[0].{param}`. */
  parser: string
}
export interface ApiSpecification {
  name: string
  /** Text that a prompt shows of it: the specification without addresses, as JSON text. */
  shown: string
  parameters: Record<string, ApiParameter>
  /** Output parameters with their types, nested ones by dotted path. */
  outputs: Record<string, string>
  http?: ApiHttp
}
/** Data that the cases of a part share; stored beside them under its hash. */
export interface ApiLibrary {
  part: string
  apis: ApiSpecification[]
  examples: SolvedExample[]
}

const parameterKeys = ['query_parameters', 'path_parameters', 'parameters', 'arguments'] as const
const hidden = new Set(['method', 'endpoint', 'host', 'url', 'output_parser'])

/** An entry of a specification file. Throws where it is none: the message continues from its place. */
export function readApi(entry: PyValue): ApiSpecification {
  const name = getPyMember(entry, 'name')
  if (!isDict(entry) || typeof name !== 'string' || name === '') throw new Error('has no `name`')
  const parameters: Record<string, ApiParameter> = {}
  for (const key of parameterKeys)
    for (const [parameter, about] of listPyEntries(getPyMember(entry, key)))
      parameters[parameter] = {
        type: typeof getPyMember(about, 'type') === 'string' ? (getPyMember(about, 'type') as string) : null,
        required: getPyMember(about, 'required') === true,
        about: formatPyStr(getPyMember(about, 'description') ?? ''),
        allowed: readAllowedValues(getPyMember(about, 'enum') ?? getPyMember(about, 'allowed_values')),
      }
  const outputs: Record<string, string> = {}
  for (const [output, about] of listPyEntries(getPyMember(entry, 'output_parameters')))
    addOutputs(outputs, output, about)
  const http = readHttp(entry)
  const specification = formatPyJson(selectShownPart(entry))
  return { name, shown: specification, parameters, outputs, ...(http && { http }) }
}

const selectShownPart = (entry: PyDict): PyDict =>
  new PyDict([...entry].filter(([key]) => !hidden.has(formatPyStr(key))))

const listPyEntries = (value: PyValue | undefined): [string, PyValue][] =>
  isDict(value) ? [...value].map(([key, item]): [string, PyValue] => [formatPyStr(key), item]) : []

/** A list of values; texts such as `1-100` describe a range and allow whatever lies in it. */
const readAllowedValues = (value: PyValue | undefined): string[] | null =>
  Array.isArray(value) && value.length > 0 ? value.map(formatPyStr) : null

function addOutputs(outputs: Record<string, string>, path: string, about: PyValue | undefined) {
  const type = typeof about === 'string' ? about : getPyMember(about, 'type')
  outputs[path] = typeof type === 'string' ? type : 'string'
  const items = getPyMember(about, 'items')
  for (const [name, inner] of listPyEntries(getPyMember(about, 'properties')))
    addOutputs(outputs, `${path}.${name}`, inner)
  for (const [name, inner] of listPyEntries(getPyMember(items, 'properties')))
    addOutputs(outputs, `${path}[0].${name}`, inner)
}

/** The first member that a call over HTTP needs and an API with a host lacks; null: there is none. */
export function findMissingHttpPart(entry: PyDict): string | null {
  if (!entry.has('host') || readHttp(entry)) return null
  const texts = ['host', 'endpoint', 'output_parser'].find((key) => typeof entry.get(key) !== 'string')
  return texts ?? 'method (GET or POST)'
}

function readHttp(entry: PyDict): ApiHttp | undefined {
  const [method, host, endpoint, parser] = ['method', 'host', 'endpoint', 'output_parser'].map((key) =>
    getPyMember(entry, key),
  )
  if (typeof host !== 'string' || typeof endpoint !== 'string' || typeof parser !== 'string') return undefined
  if (method !== 'GET' && method !== 'POST') return undefined
  return {
    method,
    host,
    endpoint,
    path: listPyEntries(getPyMember(entry, 'path_parameters')).map(([name]) => name),
    parser,
  }
}
