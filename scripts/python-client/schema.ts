/** The part of OpenAPI 3.1 that our contracts use, and how names and texts look in Python. */

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  prefixItems?: Schema[]
}
export interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
export interface Operation {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}
export interface Contract {
  info: { title: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

/** The last part of `#/components/schemas/Name`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** `listBenchmarkCases` → `ListBenchmarkCases`, `first-try` → `FirstTry`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())

const keywords = new Set(
  'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield'.split(
    ' ',
  ),
)
export const isIdentifier = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !keywords.has(name)

/** `listBenchmarkCases` → `list_benchmark_cases`; a keyword gets an underscore behind. */
export function snake(name: string): string {
  const snaked = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  return isIdentifier(snaked) ? snaked : `${snaked}_`
}

/** A docstring, wrapped and indented. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()
  // A quote at the end would be one of the three that end the text.
  const single = `${indent}"""${safe.replace(/"$/, '\\"')}"""`
  if (!safe.includes('\n') && single.length <= width) return single
  const paragraphs = safe.split('\n').map((line) => (line === '' ? '' : wrap(line, indent)))
  return `${indent}"""${paragraphs.join('\n').trimStart()}\n${indent}"""`
}
const width = 100

function wrap(text: string, indent: string): string {
  const lines: string[] = []
  let line = indent.trimEnd()
  for (const word of text.split(/\s+/)) {
    const next = line.trim() === '' ? indent + word : `${line} ${word}`
    if (next.length > width && line.trim() !== '') {
      lines.push(line)
      line = indent + word
    } else line = next
  }
  return [...lines, line].join('\n')
}
