/**
 * Pages of the HTTP reference, from the contracts: operations with parameters, bodies, answers and errors.
 */

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  default?: unknown
  minimum?: number
  maximum?: number
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}
interface Body {
  $ref?: string
  description?: string
  content?: Record<string, { schema?: Schema; example?: unknown }>
}
interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}
export interface Contract {
  info: { title: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, Schema>
    responses?: Record<string, Body>
    parameters?: Record<string, Parameter>
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head']

/** One page of Markdown. */
export function httpPage(contract: Contract): string {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )
  const tags = contract.tags ?? [{ name: 'operations' }]
  const tagOf = ({ tags: [tag] = [] }: Operation) =>
    tags.some(({ name }) => name === tag) ? tag : tags[0]!.name
  const sections = tags.flatMap(({ name, description }) => {
    const own = operations.filter(({ operation }) => tagOf(operation) === name)
    return own.length === 0
      ? []
      : [
          `## ${name}\n`,
          ...(description && description !== name ? [`${description}\n`] : []),
          ...own.map(({ path, method, operation }) => operationText(contract, path, method, operation)),
        ]
  })
  const schemas = Object.entries(contract.components?.schemas ?? {}).map(
    ([name, schema]) => `<a id="${anchorOf(name)}"></a>\n\n### ${name}\n\n${schemaText(schema)}\n`,
  )
  return [
    `# ${contract.info.title}\n`,
    `${contract.info.description ?? ''}\n`,
    ...sections,
    ...(schemas.length > 0 ? ['## Schemas\n', ...schemas] : []),
  ].join('\n')
}

function operationText(contract: Contract, path: string, method: string, operation: Operation): string {
  const { summary = operation.operationId, description, parameters = [], requestBody, responses } = operation
  const resolved = parameters.map((one) => resolve(contract, one))
  const answers = Object.entries(responses).map(([status, one]) => [status, resolve(contract, one)] as const)
  const bodies = (body: Body | undefined) =>
    Object.entries(body?.content ?? {})
      .map(([media, { schema }]) => `\`${media}\`${schema ? `: ${typeText(schema)}` : ''}`)
      .join('; ')
  return [
    `### ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description ?? '',
    table(
      ['parameter', 'in', 'type', 'meaning'],
      resolved.map(({ name, in: place, required, schema, description: text }) => [
        `\`${name}\`${required ? ' (required)' : ''}`,
        place,
        schema ? typeText(schema) : '',
        text ?? schema?.description ?? '',
      ]),
    ),
    requestBody ? `**Body**: ${bodies(resolve(contract, requestBody))}` : '',
    table(
      ['status', 'meaning', 'body'],
      answers.map(([status, answer]) => [status, answer.description ?? '', bodies(answer)]),
    ),
  ]
    .filter(Boolean)
    .map((part) => `${part}\n`)
    .join('\n')
}

const schemaText = (schema: Schema): string => {
  const { properties, required = [] } = schema
  const fields = table(
    ['field', 'type', 'meaning'],
    Object.entries(properties ?? {}).map(([name, field]) => [
      `\`${name}\`${required.includes(name) ? ' (required)' : ''}`,
      typeText(field),
      field.description ?? '',
    ]),
  )
  return [schema.description, fields || typeText(schema)].filter(Boolean).join('\n\n')
}

/** A schema in a phrase: a link to a named one, a list of values, a type with its range. */
function typeText(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, items, minimum, maximum } = schema
  if ($ref) {
    const name = $ref.split('/').at(-1)!
    return `[${name}](#${anchorOf(name)})`
  }
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(', ')
  const parts = anyOf ?? oneOf ?? allOf
  if (parts) return [...new Set(parts.map(typeText))].join(allOf ? ' and ' : ' or ')
  if (items) return `list of ${typeText(items)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')
  const bounds = [
    minimum === undefined ? '' : `≥ ${minimum}`,
    maximum === undefined ? '' : `≤ ${maximum}`,
  ].filter(Boolean)
  return [type, ...bounds, ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`])].join(
    ', ',
  )
}
/** Operations may bear a schema's name, so schemas have anchors of another form. */
const anchorOf = (name: string) => `schema-${name.toLowerCase()}`
const code = (value: unknown) => `\`${JSON.stringify(value)}\``

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head: string[], rows: string[][]): string =>
  rows.length === 0
    ? ''
    : [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
        .map((row) => `| ${row.join(' | ')} |`)
        .join('\n')

function resolve<T extends { $ref?: string }>(contract: Contract, value: T): T {
  if (!value.$ref) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  const found = (contract.components as Record<string, Record<string, T>> | undefined)?.[kind]?.[name]
  if (!found) throw new Error(`${value.$ref} is not in the contract`)
  return found
}
