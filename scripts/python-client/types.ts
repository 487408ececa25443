/** Schemas as types of Python: a TypedDict for each object, an alias for all else. */
import { docstring, isIdentifier, nameOf, pascal, type Schema } from './schema.ts'

/** Collects the definitions that types need; objects without a name get that of where they stand. */
export class TypeWriter {
  private readonly definitions = new Map<string, string>()
  private readonly schemas: Record<string, Schema>

  constructor(schemas: Record<string, Schema>) {
    this.schemas = schemas
    for (const [name, schema] of Object.entries(schemas)) this.define(name, schema)
  }

  /** The definitions, by name. */
  text(): string {
    return [...this.definitions.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join('\n\n\n')
  }

  /** A type expression. `name` is what an object without a name is called. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref)
    if (schema.const !== undefined) return literal([schema.const])
    if (schema.enum) return literal(schema.enum)
    if (schema.anyOf) return this.union(schema.anyOf, name)
    switch (schema.type) {
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return this.array(schema, name)
      case 'object':
        return this.object(schema, name)
      default:
        return 'Any'
    }
  }

  private union(members: Schema[], name: string): string {
    const types = members.map((member, index) => this.typeOf(member, `${name}${suffixOf(member, index)}`))
    return [...new Set(types)].join(' | ')
  }

  private array(schema: Schema, name: string): string {
    if (schema.prefixItems)
      return `list[${[...new Set(schema.prefixItems.map((item, index) => this.typeOf(item, `${name}${index + 1}`)))].join(' | ')}]`
    return `list[${schema.items ? this.typeOf(schema.items, `${name}Item`) : 'Any'}]`
  }

  private object(schema: Schema, name: string): string {
    const { properties, additionalProperties: more } = schema
    const rest = typeof more === 'object' ? this.typeOf(more, `${name}Value`) : 'Any'
    if (!properties) return `dict[str, ${rest}]`
    // A TypedDict can't have other members with a type of theirs.
    if (typeof more === 'object') {
      const known = Object.entries(properties).map(([key, member]) => this.typeOf(member, name + pascal(key)))
      return `dict[str, ${[...new Set([...known, rest])].join(' | ')}]`
    }
    this.define(name, schema)
    return name
  }

  private define(name: string, schema: Schema): void {
    if (this.definitions.has(name)) {
      if (this.schemas[name] === schema) return
      throw new Error(`Two types would be called ${name}; name one of the schemas in packages/contracts.`)
    }
    this.definitions.set(name, '')
    const { properties, additionalProperties: more } = schema
    const isRecord = schema.type === 'object' && properties && typeof more !== 'object'
    this.definitions.set(name, isRecord ? this.record(name, schema, properties) : this.alias(name, schema))
  }

  private alias(name: string, schema: Schema): string {
    const text = `${name}: TypeAlias = "${this.typeOf(schema, `${name}_`).replaceAll('"', "'")}"`
    return schema.description === undefined ? text : `${text}\n${docstring(schema.description, '')}`
  }

  private record(name: string, schema: Schema, properties: Record<string, Schema>): string {
    const required = new Set(schema.required)
    const members = Object.entries(properties).map(([key, member]) => {
      const type = this.typeOf(member, name + pascal(key))
      return { key, type: required.has(key) ? type : `NotRequired[${type}]`, description: member.description }
    })
    if (!members.every(({ key }) => isIdentifier(key))) {
      const lines = members.map(({ key, type }) => `        "${key}": "${type.replaceAll('"', "'")}",`)
      return [`${name} = TypedDict(`, `    "${name}",`, '    {', ...lines, '    },', ')'].join('\n')
    }
    const lines = members.flatMap(({ key, type, description }) => [
      `    ${key}: ${type}`,
      ...(description === undefined ? [] : [docstring(description, '    ')]),
    ])
    const own = schema.description === undefined ? [] : [docstring(schema.description, '    '), '']
    return [`class ${name}(TypedDict):`, ...own, ...(lines.length > 0 ? lines : ['    pass'])].join('\n')
  }
}

const literal = (values: unknown[]) => {
  const texts = values.map((value) =>
    value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value),
  )
  return values.every((value) => typeof value === 'number' && !Number.isInteger(value))
    ? 'float'
    : `Literal[${texts.join(', ')}]`
}

/** Members of a union are told apart by the constant that they have, if any. */
function suffixOf(member: Schema, index: number): string {
  const constants = Object.values(member.properties ?? {}).map((property) => property.const)
  const named = constants.find((value) => typeof value === 'string')
  return typeof named === 'string' ? pascal(named) : String(index + 1)
}
