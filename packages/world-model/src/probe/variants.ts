/**
 * Models that differ in one fact. A learner chooses among them; a certificate shows that recorded calls
 * refute each.
 */
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import type { WorldModel } from '../model.ts'
import { formatPointer, getPathValue, setPathValue } from '../pointer.ts'

export interface ModelVariant {
  /** The place of the fact, as a JSON pointer into the model. */
  place: string
  /** The other value; undefined where the member is left out. */
  value: JsonValue | undefined
}

/** The model with another value at one place. */
export const applyVariant = (model: WorldModel, { place, value }: ModelVariant): WorldModel =>
  setPathValue(model as unknown as JsonObject, splitPlace(place), value) as unknown as WorldModel
const splitPlace = (place: string) =>
  place
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Lists one or more other values for each fact that has some. */
export function listVariants(model: WorldModel): ModelVariant[] {
  const variants: ModelVariant[] = []
  const offer = (path: readonly string[], values: readonly (JsonValue | undefined)[]) => {
    const now = getPathValue(model as unknown as JsonValue, path)
    for (const value of values)
      if (JSON.stringify(value) !== JSON.stringify(now)) variants.push({ place: formatPointer(path), value })
  }
  for (const [name, type] of Object.entries(model.types)) {
    const at = ['types', name]
    offer([...at, 'order'], ['insertion', 'newest', 'touched'])
    // Orphans are seen only where their parent can come back.
    if (type.parent !== undefined && model.types[type.parent]!.identity.by !== 'server')
      offer([...at, 'whenParentGone'], [undefined, 'keep'])
    if (type.unique) offer([...at, 'unique'], [undefined])
    for (const [key, field] of Object.entries(type.fields)) {
      const place = [...at, 'fields', key]
      if (field.default !== undefined) offer([...place, 'default'], [undefined])
      const isText = field.type === 'string' || field.refers !== undefined
      if (field.stored !== 'somehow' && !type.place?.includes(key))
        offer([...place, 'stored'], [undefined, ...(isText ? [] : ['as text']), 'not'])
      if (field.refers !== undefined) offer([...place, 'whenGone'], [undefined, 'clear', 'delete', 'sweep'])
    }
    for (const [key, field] of Object.entries(type.server ?? {})) {
      const place = [...at, 'server', key]
      if (field.from === 'constant') offer([...place, 'value'], [field.value === null ? 'other' : null])
      if (field.from === 'copy' || field.from === 'identity')
        offer(place, [{ from: 'constant', value: 'other' }])
      if (field.from === 'clock' && field.onWrite) offer([...place, 'onWrite'], [undefined])
    }
  }
  for (const [id, operation] of Object.entries(model.operations)) {
    const at = ['operations', id]
    const { effect, answer, merge, refuses = [] } = operation
    offer([...at, 'status'], [operation.status === 200 ? 202 : 200])
    const { fields, server = {}, order, unique, identity } = model.types[operation.type]!
    const written = operation.writes ?? Object.keys(fields)
    const hasObject = written.some((name) => ['object', 'any'].includes(fields[name]?.type ?? ''))
    if ((effect === 'update' || effect === 'replace') && written.length + Number(hasObject) > 1) {
      const merges = hasObject ? ['shallow', 'deep', 'replace'] : ['shallow', 'replace']
      const usual = effect === 'update' ? 'shallow' : 'replace'
      offer([...at, 'merge'], merge === undefined ? merges.filter((one) => one !== usual) : merges)
    }
    const showsWrites = order === 'touched' || Object.values(server).some(({ onWrite }) => onWrite)
    if ((effect === 'update' || effect === 'replace') && showsWrites)
      offer([...at, 'ignoresSame'], [undefined, true])
    if (operation.createsStatus !== undefined)
      offer([...at, 'createsStatus'], [operation.createsStatus === 200 ? 201 : 200])
    if (effect === 'create' && (unique || identity.by !== 'server'))
      offer([...at, 'existing'], [undefined, 'return', 'replace'])
    if (operation.page !== undefined) offer([...at, 'page'], [undefined])
    for (const argument of Object.keys(operation.filters ?? {}))
      offer([...at, 'filters', argument], [undefined])
    for (const name of answer.omits ?? [])
      offer([...at, 'answer', 'omits'], [answer.omits!.filter((one) => one !== name)])
    for (const [key, member] of Object.entries(answer.beside ?? {}))
      if (member.is !== 'anything')
        offer(
          [...at, 'answer', 'beside', key],
          [
            ...(answer.is === 'list' ? [{ is: 'count' }] : []),
            ...(operation.page === undefined ? [] : [{ is: 'shown' }, { is: 'more' }]),
            ...(member.is === 'constant' ? [{ is: 'constant', value: 'other' }] : []),
          ],
        )
    for (const [key, member] of Object.entries(answer.told ?? {}))
      if (member.is !== 'anything')
        offer([...at, 'answer', 'told', key], [{ is: 'constant', value: 'other' }])
    refuses.forEach((refusal, n) =>
      offer(
        [...at, 'refuses'],
        [
          refuses.filter((_, other) => other !== n) as JsonValue,
          refuses.map((one, other) =>
            other === n ? { ...one, status: refusal.status === 400 ? 404 : 400 } : one,
          ) as JsonValue,
        ],
      ),
    )
  }
  return variants
}
