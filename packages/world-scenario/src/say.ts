/** Phrases from a model's nouns and effects. */
import type { ArgPattern, CallPhrase, PhraseForm } from '@stateeval/program'
import { type OperationPlan, type ScenarioPlan, toIdKey } from './plan.ts'
import { sayAnswer, sayThing } from './mentions.ts'
import { effectWords, emptyPart, joinParts, listWords, type PhrasePart, sayValue } from './wording.ts'

export function createPhrase(plan: ScenarioPlan, form: OperationPlan): CallPhrase {
  const { operation, type, body, shape } = form
  const { answer } = operation
  const { event } = effectWords[operation.effect]
  const twins = plan.operations.filter(
    (other) => other.operation.effect === operation.effect && other.operation.type === operation.type,
  )
  const suffix = twins.length > 1 ? ` by calling ${form.id}` : ''
  const content = body
    ? sayValue(operation.effect === 'create' ? ' from' : ' with', body.argument)
    : emptyPart
  const last = [content, saySearch(form), { ...emptyPart, says: suffix }]
  const tails = form.filters.map((name) => sayValue(`whose ${operation.filters![name]!} is`, name))
  const forms = sayTargets(form).flatMap((target) =>
    sayPlaces(plan, form).map((where) => ({
      ...joinParts(...target, where, ...last),
      ...(tails.length > 0 && { tails }),
    })),
  )
  return {
    call: shape,
    forms:
      operation.target !== undefined && form.parents.length === 0
        ? [joinParts(sayItself(plan, form), ...last), ...forms]
        : forms,
    ...sayAnswer(form, `${type.noun} ${event}${suffix}`),
    ...(operation.effect === 'create' && answer.is === 'item' && { thing: sayThing(form, suffix) }),
  }
}

/** The verb and its object, without and with the value that names the item. */
function sayTargets({ operation, type }: OperationPlan): PhrasePart[][] {
  const isOne = operation.target !== undefined || operation.effect === 'create'
  const head = {
    ...emptyPart,
    says: `${effectWords[operation.effect].verb} ${isOne ? type.noun : type.plural}`,
  }
  return [
    operation.target === undefined
      ? [head]
      : [head, sayValue(` whose ${type.identity.field} is`, operation.target)],
  ]
}

/** The item that an earlier call showed, with its place; the noun is said where a model has several. */
function sayItself({ model }: ScenarioPlan, { operation, type, place }: OperationPlan): PhrasePart {
  const { verb } = effectWords[operation.effect]
  const isOnly = Object.keys(model.types).length === 1
  return {
    says: isOnly ? `${verb.replace(/ the$/, '')} {thing}` : `${verb} ${type.noun} given by {thing}`,
    args: {
      ...takeParts('thing', place, place),
      [operation.target!]: { slot: 'thing', path: [type.identity.field] },
    },
    slots: { thing: 'reference' },
  }
}

const takeParts = (slot: string, names: readonly string[], keys: readonly string[]) =>
  Object.fromEntries(names.map((name, at): [string, ArgPattern] => [name, { slot, path: [keys[at]!] }]))

/** Where a call acts: by a variable that has all parts, by the item above, and by values. */
function sayPlaces(
  { above, model }: ScenarioPlan,
  { operation, parents, place }: OperationPlan,
): PhrasePart[] {
  if (place.length + parents.length === 0) return [emptyPart]
  const types = above[operation.type]!
  const nouns = parents.map((_, at) => model.types[types[at]!]!.noun).toReversed()
  const keys = [...place, ...parents.map((_, at) => toIdKey(types[at]!))]
  const inside = nouns.length > 0 ? ` in the ${nouns.join(' of the ')}` : ''
  const whole: PhrasePart = {
    says: place.length > 0 ? ` with the ${listWords(place)} of {place}` : `${inside} that {place} names`,
    args: takeParts('place', [...place, ...parents], keys),
    slots: { place: 'reference' },
  }
  const values = [
    ...place.map((name) => sayValue(`the ${name}`, name)),
    ...parents.map((name, at) => {
      const { noun, identity } = model.types[types[at]!]!
      return sayValue(`the ${noun} whose ${identity.field} is`, name)
    }),
  ]
  const each = joinParts(...values) as PhraseForm & PhrasePart
  const says = `${place.length > 0 ? ' with' : ' in'} ${listWords(values.map((value) => value.says))}`
  const [parent] = parents
  const single: PhrasePart[] =
    parents.length === 1 && place.length === 0
      ? [
          {
            says: ' in {parent}',
            args: takeParts('parent', [parent!], [model.types[types[0]!]!.identity.field]),
            slots: { parent: 'reference' },
          },
        ]
      : []
  return [...single, whole, { ...each, says }]
}

function saySearch({ operation: { search } }: OperationPlan): PhrasePart {
  if (!search) return emptyPart
  if (search.by === 'filter') return sayValue(' by the filter', search.filter)
  const { field, value } = search
  return {
    says: ` for {${value}} in the field {${field}}`,
    args: { [field]: { slot: field }, [value]: { slot: value } },
    slots: { [field]: 'value', [value]: 'value' },
  }
}
