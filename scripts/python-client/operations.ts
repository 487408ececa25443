/** The operations of a contract as a class of Python: a method each, with the types of types.ts. */
import { type Contract, docstring, nameOf, type Operation, type Parameter, pascal, snake } from './schema.ts'
import type { TypeWriter } from './types.ts'

/** The text of a class with every operation of a service. */
export function operationsClass(name: string, contract: Contract, types: TypeWriter): string {
  const methods = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      methodText({ method, path, operation, contract, types }),
    ),
  )
  const about = `${contract.info.description}\n\nOne method for each operation of ${contract.info.title}.`
  return [
    `class ${name}:`,
    docstring(about, '    '),
    '',
    '    def __init__(self, transport: Transport) -> None:',
    '        self._transport = transport',
    '',
    methods.join('\n\n'),
    '',
  ].join('\n')
}

interface Place {
  method: string
  path: string
  operation: Operation
  contract: Contract
  types: TypeWriter
}

function methodText({ method, path, operation, contract, types }: Place): string {
  const { operationId, summary, description } = operation
  const name = pascal(operationId)
  // Python's caller has no use for a 304: what is unchanged is read again.
  const parameters = (operation.parameters ?? [])
    .map((one) => (one.$ref === undefined ? one : contract.components.parameters![nameOf(one.$ref)]!))
    .filter((one) => one.name.toLowerCase() !== 'if-none-match')
  const typed = (one: Parameter) => qualified(types.typeOf(one.schema, name + pascal(one.name)))
  const inPath = parameters.filter((one) => one.in === 'path')
  const others = parameters.filter((one) => one.in !== 'path')
  const body = operation.requestBody?.content['application/json']?.schema
  const named = others.map((one) =>
    one.required ? `${snake(one.name)}: ${typed(one)}` : `${snake(one.name)}: ${typed(one)} | None = None`,
  )
  const signature = [
    'self',
    ...inPath.map((one) => `${snake(one.name)}: ${typed(one)}`),
    ...(body ? [`body: ${qualified(types.typeOf(body, `${name}Body`))}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  const answer = answerOf(operation, name, types)
  const values = (place: 'query' | 'header') =>
    others.filter((one) => one.in === place).map((one) => `"${one.name}": ${snake(one.name)}`)
  const query = values('query')
  const headers = values('header')
  const call = [
    `"${method.toUpperCase()}"`,
    urlText(path),
    ...(query.length > 0 ? [`query=${mapping(query)}`] : []),
    ...(headers.length > 0 ? [`headers=${mapping(headers)}`] : []),
    ...(body ? ['body=body'] : []),
  ]
  const told = others.flatMap((one) =>
    one.description === undefined ? [] : [`${snake(one.name)}: ${one.description}.`],
  )
  const text = [`${summary}.`, description, ...(told.length > 0 ? [told.join('\n')] : [])].join('\n\n')
  const send = `self._transport.${answer.how}(\n            ${call.join(',\n            ')},\n        )`
  return [
    `    def ${snake(operationId)}(\n        ${signature.join(',\n        ')},\n    ) -> ${answer.type}:`,
    docstring(text, '        '),
    answer.how === 'send'
      ? `        return cast(\n            "${answer.type.replaceAll('"', "'")}",\n            ${send.replaceAll('\n', '\n    ')},\n        )`
      : `        return ${send}`,
  ].join('\n')
}

const mapping = (entries: string[]) =>
  entries.length === 1
    ? `{${entries[0]!}}`
    : `{\n                ${entries.join(',\n                ')},\n            }`

/** An f-string where the path has parameters, each of them quoted. */
const urlText = (path: string) =>
  path.includes('{')
    ? `f"${path.replace(/\{(\w+)\}/g, (_, name: string) => `{quote(${snake(name)})}`)}"`
    : `"${path}"`

/** Writes what a method returns, and which member of Transport brings it. */
function answerOf({ responses }: Operation, name: string, types: TypeWriter): { type: string; how: string } {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.entries(content ?? {}))
  if (contents.length === 0) return { type: 'None', how: 'send_only' }
  const answers = new Set(
    contents.map(([media, { schema }]) => {
      if (media === 'application/json') return qualified(types.typeOf(schema, `${name}Answer`))
      if (media === 'text/event-stream') return 'Iterator[ServerEvent]'
      return media.startsWith('text/') || media === 'application/jsonl' ? 'str' : 'bytes'
    }),
  )
  const type = [...answers].join(' | ')
  return { type, how: type === 'Iterator[ServerEvent]' ? 'events' : 'send' }
}

/** Names of types.py, as another module names them. */
const qualified = (type: string) =>
  type.replace(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    word.startsWith('"') || ['Any', 'Literal', 'None', 'True', 'False'].includes(word)
      ? word
      : `types.${word}`,
  )
