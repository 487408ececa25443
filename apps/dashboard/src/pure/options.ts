/** The options of an evaluation for a form, from the contract and the kind of benchmark. */
import type { BenchmarkKind, EvaluationRequest } from '@stateeval/contracts'
import type { OptionSchema } from 'virtual:contract'

export interface OptionField {
  /** Name in the request; `object.member` for a member of an object. */
  name: string
  help: string
  /** Values to choose from, the default first; else it is typed in. */
  choices?: readonly string[]
  number?: { min?: number; max?: number; whole: boolean }
  /** The default value. */
  usual: string
}

/** The list of a kind that an option is chosen from, by option. */
const lists = {
  policy: 'policies',
  prompting: 'promptings',
  language: 'languages',
  setup: 'setups',
  layout: 'layouts',
  settings: 'settings',
} as const satisfies Record<string, keyof BenchmarkKind>

/** Options that apply to one prompting only. */
const under: Readonly<Record<string, string>> = { rounds: 'reflect', shots: 'few-shot' }

const formatValue = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export function createField(name: string, schema: OptionSchema, usual: string, help: string): OptionField {
  const whole = schema.type === 'integer'
  const number =
    whole || schema.type === 'number'
      ? {
          ...(schema.minimum !== undefined && { min: schema.minimum }),
          ...(schema.maximum !== undefined && { max: schema.maximum }),
          whole,
        }
      : undefined
  return { name, help, usual, ...(number && { number }) }
}

/** The fields of this kind and prompting, in the contract's order. */
export function createOptionFields(
  options: Readonly<Record<string, OptionSchema>>,
  kind: BenchmarkKind,
  prompting: string | undefined,
): OptionField[] {
  return Object.entries(options).flatMap(([name, schema]) => {
    const condition = under[name]
    if (condition !== undefined && (prompting ?? kind.promptings[0]) !== condition) return []
    const help = [schema.description, kind.help[name]].filter(Boolean).join('. ')
    if (name in lists) {
      const choices: readonly string[] = kind[lists[name as keyof typeof lists]]
      // Among named settings none is the default.
      const all = name === 'settings' && choices.length > 0 ? ['', ...choices] : choices
      return all.length > 1 ? [{ name, help, choices: all, usual: all[0] ?? '' }] : []
    }
    if (schema.type === 'object')
      return Object.entries(name === 'limits' && kind.limits ? (schema.properties ?? {}) : {}).map(
        ([member, one]) =>
          createField(
            `${name}.${member}`,
            one,
            formatValue(kind.limits?.[member as keyof typeof kind.limits]),
            one.description ?? '',
          ),
      )
    const values = schema.anyOf?.flatMap((one) => (one.const === undefined ? [] : [one.const])) ?? []
    const usual = name === 'documentation' ? kind.documentation : formatValue(schema.default)
    if (values.length > 1)
      return [{ name, help, choices: [usual, ...values.filter((value) => value !== usual)], usual }]
    return [createField(name, schema, usual, help)]
  })
}

type FormValues = ReadonlyMap<string, string>

/** Sets a member of a request; `budget.usd` is a member of its member `budget`. */
export function put(request: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', member] = path.split('.')
  request[name] = member === undefined ? value : { ...(request[name] as object | undefined), [member]: value }
}

/** Sets the values of these fields from a form; empty and default values are left out. */
export function putFields(
  request: Record<string, unknown>,
  fields: readonly OptionField[],
  values: FormValues,
  valueOf = ({ number }: OptionField, text: string): unknown => (number ? Number(text) : text),
): void {
  for (const field of fields) {
    const text = values.get(field.name)?.trim() ?? ''
    if (text !== '' && text !== field.usual) put(request, field.name, valueOf(field, text))
  }
}

const createBudgetField = (name: string, help: string, min: number): OptionField => ({
  name: `budget.${name}`,
  help,
  usual: '',
  number: { min, whole: min > 0 },
})
export const budgetFields = [
  createBudgetField('usd', 'US dollars at most', 0),
  createBudgetField('tokens', 'Tokens at most', 1),
]

/** The values of a form as a request. */
export function buildEvaluationRequest(
  fields: readonly OptionField[],
  values: FormValues,
  { tags = [], ...base }: Pick<EvaluationRequest, 'benchmark' | 'model' | 'tags'>,
): EvaluationRequest {
  const request: Record<string, unknown> = { ...base, ...(tags.length > 0 && { tags }) }
  putFields(request, fields, values)
  for (const name of ['judge', 'user', 'embeddings', 'secondOpinion'])
    if (values.get(name)) request[name] = values.get(name)
  putFields(request, budgetFields, values)
  if (values.get('fresh')) request['fresh'] = true
  return request as unknown as EvaluationRequest
}
