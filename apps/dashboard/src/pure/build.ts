/** The options of a build for a form, from the contract and the kind of benchmark. */
import type { BenchmarkKind, BuildRequest } from '@stateeval/contracts'
import type { OptionSchema } from 'virtual:contract'
import { createField, type OptionField, put, putFields } from './options.ts'

type OptionSchemas = Readonly<Record<string, OptionSchema>>

/** Shown elsewhere, or made of several fields. */
const apart = new Set(['scenario', 'agents', 'scenarioOptions', 'languages', 'apis'])

function listOptionFields(schemas: OptionSchemas, prefix = ''): OptionField[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const help = schema.description ?? ''
    const path = `${prefix}${name}`
    const usual = schema.default === undefined ? '' : String(schema.default)
    if (schema.properties) return listOptionFields(schema.properties, `${path}.`)
    if (schema.type === 'boolean')
      return [{ name: path, help, usual, choices: [usual, usual === 'true' ? 'false' : 'true'] }]
    const values = schema.anyOf?.flatMap((one) => (one.const === undefined ? [] : [one.const])) ?? []
    if (values.length > 1)
      return [{ name: path, help, usual, choices: [usual, ...values.filter((one) => one !== usual)] }]
    return [createField(path, schema, usual, help)]
  })
}

/** The fields for a build of these scenarios. */
export function buildFields(
  schemas: OptionSchemas,
  { scenarios }: Pick<BenchmarkKind, 'scenarios'>,
  scenario: string,
): OptionField[] {
  const chosen = scenarios.filter(({ id }) => scenario === 'all' || scenario === id)
  const own = chosen.flatMap(({ options = {} }) =>
    Object.entries(options).map(([name, { about, minimum, maximum, default: usual }]): OptionField => ({
      name: `scenarioOptions.${name}`,
      help: about,
      usual: String(usual),
      number: { min: minimum, max: maximum, whole: true },
    })),
  )
  const usual = listOptionFields(
    Object.fromEntries(Object.entries(schemas).filter(([name]) => !apart.has(name))),
  )
  const languages: OptionField = {
    name: 'languages',
    help: schemas['languages']?.description ?? '',
    usual: '',
    choices: ['', 'javascript', 'python', 'javascript python', 'python javascript'],
  }
  return [...usual, languages, ...own]
}

/** Numbers of the negotiation, where models write instructions. */
export const listAgentFields = (schemas: OptionSchemas): OptionField[] =>
  listOptionFields(
    Object.fromEntries(
      ['rounds', 'tries'].flatMap((name) => {
        const schema = schemas[name]
        return schema ? [[name, schema] as const] : []
      }),
    ),
    'agents.',
  )

/** The values of a form as a request. */
export function buildRequest(
  fields: readonly OptionField[],
  values: ReadonlyMap<string, string>,
  scenario: string,
): BuildRequest {
  const build: Record<string, unknown> = { scenario }
  putFields(build, fields, values, ({ name, number, choices }, text) => {
    if (name === 'languages') return text.split(' ')
    if (choices?.includes('false')) return text === 'true'
    if (name === 'seed') return /^\d{1,15}$/.test(text) ? Number(text) : text
    return number ? Number(text) : text
  })
  for (const part of ['generator', 'evaluator', 'coder']) {
    const model = values.get(`agents.${part}`) ?? ''
    if (model !== '' && build['translator'] === 'agents') put(build, `agents.${part}`, model)
  }
  if (build['translator'] !== 'agents') delete build['agents']
  return build as unknown as BuildRequest
}
