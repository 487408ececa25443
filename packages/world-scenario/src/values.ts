/** Bodies of valid items, and other values for their leaves. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { drawFieldValue, getIdentity, type ModelState } from '@stateeval/world-model'
import type { OperationPlan, ScenarioPlan } from './plan.ts'

const adjectives = 'amber birch cedar delta ember fjord grove heron iris juniper kelp lotus'.split(' ')
const nouns = 'river field harbor garden bridge tower meadow valley'.split(' ')

interface BodySource {
  plan: ScenarioPlan
  /** Items that references may name. */
  state: ModelState
  rng: RandomSource
  /** References to ids that only the server knows are left out: a program finds them. */
  isUserKnown?: boolean
}

/** The fields that a call of an operation may send. */
export const listSentFields = ({ operation, type, place }: OperationPlan): string[] =>
  Object.keys(type.fields).filter(
    (name) =>
      !place.includes(name) &&
      (operation.writes?.includes(name) ?? true) &&
      type.fields[name]!.stored !== 'not' &&
      type.fields[name]!.stored !== 'somehow' &&
      (name !== type.identity.field ||
        (operation.effect === 'create' && operation.target === undefined && type.identity.by === 'client')),
  )

/** The fields of a valid item as an operation takes them; null where a needed value is unknown. */
export function drawContent(
  { plan, state, rng, isUserKnown = false }: BodySource,
  form: OperationPlan,
): JsonObject | null {
  const { fields } = form.type
  const whole = form.operation.content?.at?.[0]
  if (whole !== undefined) return drawDocument(rng)
  const content: JsonObject = {}
  const names = listSentFields(form)
  for (const name of names) {
    const field = fields[name]!
    const isNeeded = field.required === true && form.operation.effect !== 'update'
    if (!isNeeded && !rng.chance(0.8)) continue
    const value =
      field.refers === undefined
        ? drawScalar(name, form, rng)
        : drawReferent(plan, state, field.refers, rng, isUserKnown)
    if (value !== undefined) content[name] = value
    else if (isNeeded && !(isUserKnown && field.refers !== undefined)) return null
  }
  return Object.keys(content).length > 0 || names.length === 0 ? content : null
}

/** Free texts are two words, which read better than invented ones. */
function drawScalar(name: string, { type }: OperationPlan, rng: RandomSource): JsonValue | undefined {
  const field = type.fields[name]!
  if (field.type === 'object' && !field.examples && !field.enum) return drawDocument(rng)
  const isFree = field.type === 'string' && !field.enum && !field.examples && !field.format
  const isPlain =
    isFree && !field.minLength && !field.maxLength && !/mail|ur[il]|currency|country/i.test(name)
  return isPlain ? drawWords(rng) : drawFieldValue(name, field, rng)
}
export const drawWords = (rng: RandomSource) => `${rng.pick(adjectives)} ${rng.pick(nouns)} ${rng.int(1, 99)}`

/** An object whose fields no schema tells. */
const drawDocument = (rng: RandomSource): JsonObject => ({
  title: drawWords(rng),
  level: rng.int(1, 9),
  tier: rng.pick(nouns),
  tags: rng.sample(adjectives, 2),
})

function drawReferent(
  { model }: ScenarioPlan,
  { items }: ModelState,
  type: string,
  rng: RandomSource,
  isUserKnown: boolean,
): JsonValue | undefined {
  if (isUserKnown && model.types[type]?.identity.by !== 'client') return undefined
  const choices = items.filter((item) => item.type === type)
  return choices.length > 0 ? getIdentity(model, rng.pick(choices)) : undefined
}

/** Another value of the same kind for a leaf; the value itself where none is found. */
export function drawOther(
  { fields }: OperationPlan['type'],
  path: readonly (string | number)[],
  value: JsonValue,
  rng: RandomSource,
): JsonValue {
  const name = String(path.findLast((key) => typeof key === 'string') ?? '')
  const field = path.filter((key) => typeof key === 'string').length === 1 ? fields[name] : undefined
  for (let tries = 0; tries < 12; tries++) {
    const other = drawLike(name, field, value, rng)
    if (other !== undefined && other !== value && typeof other === typeof value) return other
  }
  return value
}

function drawLike(
  name: string,
  field: OperationPlan['type']['fields'][string] | undefined,
  value: JsonValue,
  rng: RandomSource,
): JsonValue | undefined {
  if (field && field.type !== 'array' && (field.enum || field.examples || typeof value !== 'string'))
    return drawFieldValue(name, field.stored === 'as text' ? { ...field, type: 'string' } : field, rng)
  switch (typeof value) {
    case 'boolean':
      return !value
    case 'number':
      return Number.isInteger(value) ? rng.int(1, 99) : rng.int(1, 90) + 0.5
    case 'string':
      return /^\w+$/.test(value) && !/\d/.test(value)
        ? rng.pick(adjectives.includes(value) ? adjectives : nouns)
        : drawWords(rng)
    default:
      return undefined
  }
}

interface BodyLeaf {
  path: (string | number)[]
  value: JsonValue
}
/** Scalars and lists of a body; lists are one leaf. */
export function listBodyLeaves(value: JsonValue, path: (string | number)[] = []): BodyLeaf[] {
  if (!isRecord(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, member]) => listBodyLeaves(member, [...path, key]))
}
