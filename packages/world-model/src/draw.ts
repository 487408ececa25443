/** Random calls of a model in a state: valid ones for sequences, and ones that an API refuses. */
import { formatAsText, isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { listOperations, type WorldField, type WorldModel, type WorldOperation } from './model.ts'
import { type CallArguments, getIdentity } from './predict/items.ts'
import { type ModelCall, predictCall } from './predict/predict.ts'
import type { ModelItem, ModelState } from './state.ts'

const words =
  'amber birch cedar delta ember fjord grove heron iris juniper kelp lotus maple north opal pine'.split(' ')

interface DrawOptions {
  /** Begins invented names, so that an owner of an API recognises them. */
  prefix?: string
  /** The share of calls with a missing item, field or value. */
  faults?: number
  /** Types that are shown next, if they can be: what a write does to others would stay unseen. */
  watched?: readonly string[]
}

/** A value that the API is known to accept, or an invented one; undefined if none is known. */
export function drawFieldValue(
  name: string,
  field: WorldField,
  rng: RandomSource,
  prefix = '',
): JsonValue | undefined {
  const listed = (field.enum ?? field.examples)?.filter((value) => value !== '' && value !== null)
  if (listed && listed.length > 0) return rng.pick(listed) as JsonValue
  switch (field.type) {
    case 'integer':
      return rng.int(
        Math.ceil(field.minimum ?? 1),
        Math.max(Math.ceil(field.minimum ?? 1), field.maximum ?? 900),
      )
    case 'number':
      return Math.min(field.maximum ?? Infinity, Math.max(field.minimum ?? 0, rng.int(1, 90) + 0.5))
    case 'boolean':
      return rng.chance(0.5)
    case 'array':
      return field.items === 'string'
        ? rng.sample(words, rng.int(1, 2))
        : field.items === 'integer'
          ? [rng.int(1, 9)]
          : undefined
    case 'object':
      return /metadata|labels|attributes|^data$/.test(name.toLowerCase())
        ? { tier: rng.pick(words), level: rng.int(1, 3) }
        : undefined
    default:
      return drawText(name.toLowerCase(), field, rng, prefix)
  }
}

function drawText(
  name: string,
  { format, minLength = 0, maxLength }: WorldField,
  rng: RandomSource,
  prefix: string,
) {
  const word = `${prefix}${rng.pick(words)}${rng.int(1, 9_999_999)}`
  if (format === 'email' || name.includes('email')) return `${word}@example.com`
  if (format === 'uri' || format === 'url' || /(^|_)(url|uri)$/.test(name))
    return `https://example.com/${word}`
  if (format === 'date-time') return `2026-03-0${rng.int(1, 9)}T10:00:00Z`
  if (format === 'date') return `2026-03-0${rng.int(1, 9)}`
  if (format === 'uuid') return `00000000-0000-4000-8000-${String(rng.int(0, 999_999)).padStart(12, '0')}`
  if (name.includes('currency')) return 'eur'
  if (name.includes('country')) return 'DE'
  return word.padEnd(minLength, 'x').slice(0, maxLength)
}

/** Draws a call; null if none is possible. Every call succeeds, except the share of faulty ones. */
export function drawCall(
  model: WorldModel,
  state: ModelState,
  rng: RandomSource,
  options: DrawOptions = {},
): ModelCall | null {
  const candidates = listOperations(model).flatMap(([operation, form]) => {
    const isWatched = options.watched?.includes(form.type) && isReading(form)
    const weight = weighOperation(model, state, form) * (isWatched ? 6 : 1)
    return weight > 0 ? [{ operation, form, weight }] : []
  })
  for (let tries = 0; tries < 20 && candidates.length > 0; tries++) {
    const { operation, form } = rng.weighted(candidates, ({ weight }) => weight)
    const args = drawArguments(model, state, form, rng, options)
    if (!args) continue
    const call = { operation, args }
    if (options.faults && rng.chance(options.faults)) return spoilCall(call, form, rng)
    if (predictCall(model, state, call).ok) return call
  }
  return null
}

const isReading = ({ effect }: WorldOperation) => effect === 'read' || effect === 'list'

/** Fewer creations where there are items already, and no call on what is missing. */
function weighOperation(
  model: WorldModel,
  state: ModelState,
  { effect, type, target, createsStatus }: WorldOperation,
) {
  const items = state.items.filter((item) => item.type === type).length
  const parent = model.types[type]?.parent
  if (parent !== undefined && !state.items.some((item) => item.type === parent)) return 0
  if (effect === 'create') return items === 0 ? 4 : items < 4 ? 2 : 0.7
  if (target !== undefined)
    return items > 0 ? (effect === 'delete' ? 1 : 2) : createsStatus === undefined ? 0 : 2
  return effect === 'delete-many' ? (items > 0 ? 0.4 : 0) : items > 0 ? 2 : 0.3
}

function drawArguments(
  model: WorldModel,
  state: ModelState,
  operation: WorldOperation,
  rng: RandomSource,
  { prefix = '' }: DrawOptions,
): CallArguments | null {
  const type = model.types[operation.type]!
  const own = state.items.filter((item) => item.type === operation.type)
  const args: Record<string, JsonValue> = {}
  const target =
    operation.target !== undefined && own.length > 0 && !(operation.createsStatus && rng.chance(0.4))
      ? rng.pick(own)
      : undefined
  if (operation.target !== undefined) {
    if (!target && operation.createsStatus === undefined) return null
    args[operation.target] = target ? getIdentity(model, target) : `${prefix}own${rng.int(1, 9999)}`
  }
  const chain = drawParents(model, state, operation, { target, rng })
  if (!chain) return null
  operation.parents?.forEach((name, at) => (args[name] = getIdentity(model, chain[at]!)))
  // Two collections are enough to be told apart, and few enough to hold several items.
  for (const name of type.place ?? [])
    args[name] = target
      ? target.values[name]!
      : own.length > 0 && rng.chance(0.7)
        ? rng.pick(own).values[name]!
        : (drawFieldValue(name, type.fields[name] ?? { type: 'string' }, rng, prefix) ?? 'none')
  if (operation.content) {
    const content = drawContent(model, state, operation, rng, prefix)
    if (!content) return null
    const isForm = operation.request.kind === 'http' && operation.request.body?.media === 'form'
    args[operation.content.argument] = isForm ? writeNestedTexts(content) : content
  }
  for (const [argument, field] of Object.entries(operation.filters ?? {}))
    if (own.length > 0 && rng.chance(0.5)) {
      const value = rng.pick(own).values[field]
      if (value !== undefined && value !== null && typeof value !== 'object') args[argument] = value
    }
  if (operation.search) Object.assign(args, drawSearch(operation, own, rng))
  return args
}

/** A form has only texts, and no field gives the members of an object other types. */
const writeNestedTexts = (content: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, formatAsText(member)]))
        : value,
    ]),
  )

/** The items above, the outermost first; null if one is missing. */
function drawParents(
  model: WorldModel,
  { items }: ModelState,
  operation: WorldOperation,
  { target, rng }: { target: ModelItem | undefined; rng: RandomSource },
): ModelItem[] | null {
  const chain: ModelItem[] = []
  const parent = model.types[operation.type]?.parent
  const choices = items.filter((item) => item.type === parent)
  let above = target
    ? items.find((item) => item.key === target.parent)
    : choices.length > 0
      ? rng.pick(choices)
      : undefined
  for (let count = operation.parents?.length ?? 0; count > 0; count--) {
    if (!above) return null
    chain.unshift(above)
    const { parent: key } = above
    above = items.find((item) => item.key === key)
  }
  return chain
}

function drawContent(
  model: WorldModel,
  state: ModelState,
  operation: WorldOperation,
  rng: RandomSource,
  prefix: string,
): JsonObject | null {
  const { fields, identity, place = [] } = model.types[operation.type]!
  const whole = operation.content!.at?.[0]
  if (whole !== undefined) {
    const value = drawFieldValue(whole, fields[whole] ?? { type: 'object' }, rng, prefix)
    return isRecord(value) ? value : null
  }
  const content: JsonObject = {}
  const isPartial = operation.effect === 'update'
  const names = Object.keys(fields).filter(
    (name) => !place.includes(name) && (operation.writes?.includes(name) ?? true),
  )
  const isNeeded = (name: string) => fields[name]!.required === true && !isPartial
  const optional = rng.sample(
    names.filter((name) => !isNeeded(name) && (name !== identity.field || identity.by === 'either')),
    isPartial ? rng.int(1, 2) : rng.int(0, 3),
  )
  for (const name of names) {
    // References are worth more than other fields: deletions act on them.
    const isDrawn = fields[name]!.refers === undefined ? optional.includes(name) : rng.chance(0.6)
    if (!isNeeded(name) && !isDrawn) continue
    if (name === identity.field && operation.effect !== 'create') continue
    const field = fields[name]!
    const value =
      field.refers === undefined
        ? drawFieldValue(name, field, rng, prefix)
        : drawReference(model, state, field.refers, rng)
    if (value !== undefined) content[name] = value
    else if (isNeeded(name)) return null
  }
  return isPartial && Object.keys(content).length === 0 ? null : content
}

function drawReference(model: WorldModel, { items }: ModelState, type: string, rng: RandomSource) {
  const choices = items.filter((item) => item.type === type)
  return choices.length > 0 ? getIdentity(model, rng.pick(choices)) : undefined
}

/** A question that at least one item answers, if there are any. */
function drawSearch({ search }: WorldOperation, own: readonly ModelItem[], rng: RandomSource): CallArguments {
  const leaves = own.flatMap(({ values }) => listTextFields(values))
  const [field, value] = leaves.length > 0 ? rng.pick(leaves) : ['name', 'none']
  if (search?.by === 'field') return { [search.field]: field, [search.value]: value }
  return search ? { [search.filter]: { [field]: value } } : {}
}

function listTextFields(values: JsonObject, prefix = ''): [string, JsonValue][] {
  return Object.entries(values).flatMap(([name, value]): [string, JsonValue][] =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? listTextFields(value, `${prefix}${name}.`)
      : [[prefix + name, Array.isArray(value) ? (value[0] ?? null) : value]],
  )
}

/** The call with one argument missing, of another kind, or naming nothing. */
function spoilCall({ operation, args }: ModelCall, form: WorldOperation, rng: RandomSource): ModelCall {
  const names = Object.keys(args)
  if (names.length === 0) return { operation, args }
  const name = rng.pick(names)
  const { [name]: _, ...others } = args
  const isPath = form.request.kind === 'http' && form.request.path.includes(`{${name}}`)
  if (!isPath && rng.chance(0.3)) return { operation, args: others }
  const value: JsonValue = isPath
    ? rng.pick(['missing', 'x1', 'no-such'])
    : rng.pick<JsonValue>([['list'], 'text', null, 7])
  return { operation, args: { ...others, [name]: value } }
}
