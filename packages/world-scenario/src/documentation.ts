/** Documentation of a model's operations, for models under test, and the operations as tools. */
import type { JsonValue, Language, ModelTool } from '@stateeval/contracts'
import type { WorldField } from '@stateeval/world-model'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { listSentFields } from './values.ts'

const clients = {
  javascript: {
    fence: 'js',
    use: "Use axios for the requests; it is available through `require('axios')`. axios throws on errors.",
    write: ({ method, path, body, query }: OperationPlan['shape']) =>
      `const response = (await axios.${method.toLowerCase()}(\`\${BASE_URL}${path.replaceAll('{', '${')}\`${body ? `, ${body}` : ''}${query ? `, { params: { ${query.join(', ')} } }` : ''})).data;`,
  },
  python: {
    fence: 'python',
    use: 'Use requests for the requests; it is available through `import requests`. Call `raise_for_status()` to see errors.',
    write: ({ method, path, body, query = [] }: OperationPlan['shape']) => {
      const params = query.map((name) => `"${name}": ${name}`).join(', ')
      return `response = requests.${method.toLowerCase()}(f"{BASE_URL}${path}"${body ? `, json=${body}` : ''}${params ? `, params={${params}}` : ''})\nresponse.raise_for_status()`
    },
  },
} satisfies Record<Language, unknown>

export function documentOperations({ model, operations }: ScenarioPlan, language: Language): string {
  const client = clients[language]
  const sections = operations.map((form) => {
    const { id, operation, shape, body } = form
    const { method, path, query = [] } = shape
    const asked = query.length > 0 ? `?${query.map((name) => `${name}={${name}}`).join('&')}` : ''
    const lines = [
      `## ${id}: ${operation.about ?? describeEffect(form)}`,
      `\`${method} ${path}${asked}\`${shape.body ? `, body: ${body ? describeBody(form) : `the ${shape.body}`}` : ''}`,
      `${describeAnswer(form)}${describeFilters(form)}`,
      `\`\`\`${client.fence}\n${client.write(shape)}\n\`\`\``,
    ]
    return lines.join('\n\n')
  })
  const introduction = `# ${model.title}\n\nThe service's address is in the global variable \`BASE_URL\` (without a trailing slash). ${client.use} Request and answer bodies are JSON. Parts of paths are URL-encoded.`
  const types = Object.values(model.types).map(
    ({ plural, fields, identity, order }) =>
      `A list of ${plural} is ${orders[order]}. The field \`${identity.field}\` identifies an item. Fields:\n\n${Object.entries(
        fields,
      )
        .map(([name, field]) => `- \`${name}\`: ${describeField(field)}`)
        .join('\n')}`,
  )
  return `${[introduction, ...types, ...sections].join('\n\n')}\n`
}

const orders = {
  insertion: 'in the order in which they were added, oldest first',
  newest: 'in the order in which they were added, newest first',
  touched: 'in the order of the last change, newest first',
  unknown: 'in no particular order',
}

const describeEffect = ({ operation: { effect, target }, type }: OperationPlan) =>
  `${effect} ${target === undefined && effect !== 'create' ? `the ${type.plural}` : `one ${type.noun}`}`

function describeField({ type, enum: listed, required, refers, default: value }: WorldField): string {
  return [
    type,
    ...(required ? ['required'] : []),
    ...(refers === undefined ? [] : [`identifies the ${refers}`]),
    ...(listed ? [`one of ${listed.map((one) => JSON.stringify(one)).join(', ')}`] : []),
    ...(value === undefined ? [] : [`${JSON.stringify(value)} by default`]),
  ].join(', ')
}

const describeFilters = ({ operation, filters, type }: OperationPlan) =>
  filters.length === 0
    ? ''
    : ` Optional query parameters keep only the ${type.plural} with this value: ${filters
        .map((name) => `\`${name}\` (the field \`${operation.filters![name]!}\`)`)
        .join(', ')}.`

function describeBody(form: OperationPlan): string {
  const at = form.body!.at.map((key) => `\`${key}\``).join(', ')
  const field = form.operation.content?.at?.[0]
  const what =
    field === undefined
      ? `an object of ${listSentFields(form)
          .map((name) => `\`${name}\``)
          .join(', ')}`
      : `the value of \`${field}\``
  const how =
    form.operation.effect === 'update' && form.operation.merge !== 'replace' ? '; other fields stay' : ''
  return `${what}${at === '' ? '' : ` in the member ${at}`}${how}`
}

function describeAnswer({ operation: { answer, status }, type }: OperationPlan): string {
  const at = (answer.at ?? []).map((key) => `\`${key}\``).join(', ')
  const place = at === '' ? '' : ` in the member ${at}`
  const only = answer.only ? `, with ${answer.only.map((name) => `\`${name}\``).join(', ')} alone` : ''
  if (answer.is === 'none') return `Answers ${status} with an empty body.`
  if (answer.is === 'list') return `Answers ${status} with a list of ${type.plural}${place}${only}.`
  if (answer.told)
    return `Answers ${status} with an object of ${Object.keys(answer.told)
      .map((at) => `\`${at.slice(1)}\``)
      .join(', ')}${place}.`
  return `Answers ${status} with the ${type.noun}${place}${only}.`
}

/** The operations as tools. */
export const listTools = ({ operations }: ScenarioPlan): ModelTool[] =>
  operations.map((form) => {
    const { id, operation, place, parents, search, body, type } = form
    const names = [
      ...parents,
      ...place,
      ...(operation.target === undefined ? [] : [operation.target]),
      ...search,
    ]
    const texts = names.map((name): [string, JsonValue] => [
      name,
      { type: 'string', ...(type.fields[name]?.enum && { enum: type.fields[name].enum as JsonValue[] }) },
    ])
    const properties = { ...Object.fromEntries(texts), ...(body && { [body.argument]: { type: 'object' } }) }
    return {
      name: id,
      description: `${operation.about ?? describeEffect(form)}. ${describeAnswer(form)}`,
      parameters: {
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      },
    }
  })
