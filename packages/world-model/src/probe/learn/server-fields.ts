/** Fields of the answer that no client sent. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@stateeval/contracts'
import type { ServerField, WorldType } from '../../model.ts'
import { formatPointer, getPathValue, listLeaves } from '../../pointer.ts'
import type { MadeItem, ProbeContext } from './context.ts'

/** Fields of the answer that nobody sent: equal ones are constants, others ids, clocks and tokens. */
export function learnServerFields(probe: ProbeContext, name: string, first: MadeItem, second: MadeItem) {
  const type = probe.model.types[name]!
  const server: Record<string, ServerField> = {}
  for (const [path, value] of listLeaves(first.values)) {
    const pointer = formatPointer(path)
    if (pointer === formatPointer([type.identity.field])) continue
    const other = getPathValue(second.values, path)
    if (getPathValue(first.sent, path) !== undefined) {
      learnStored(type, path, getPathValue(first.sent, path)!, value)
      continue
    }
    server[pointer] = classify(first, second, value, other)
    probe.note('types', name, 'server', pointer)
  }
  for (const key of Object.keys(first.sent))
    if (
      !Object.hasOwn(first.values, key) &&
      first.answer.body !== undefined &&
      Object.keys(first.values).length > 0 &&
      type.fields[key]
    )
      type.fields[key].stored = 'not'
  type.server = server
  if (Object.keys(server).length === 0) delete type.server
}

function learnStored(
  { fields }: WorldType,
  [key = '', ...rest]: readonly string[],
  sent: JsonValue,
  value: JsonValue,
) {
  const field = fields[key]
  if (!field || isDeepStrictEqual(sent, value)) return
  field.stored = rest.length === 0 && String(sent) === value ? 'as text' : 'somehow'
}

function classify(
  first: MadeItem,
  second: MadeItem,
  value: JsonValue,
  other: JsonValue | undefined,
): ServerField {
  const isPlain = typeof value === 'string' || typeof value === 'number'
  if (isPlain && value === first.id && other === second.id) return { from: 'identity' }
  const up = first.above
    .toReversed()
    .findIndex((id) => isPlain && String(id) === String(value) && id === value)
  if (up >= 0) return { from: 'parent', up }
  const copied = Object.keys(first.sent).find(
    (key) => typeof value === 'string' && first.sent[key] === value && second.sent[key] === other,
  )
  if (copied !== undefined) return { from: 'copy', field: copied }
  if (isDeepStrictEqual(value, other)) return { from: 'constant', value }
  const isClock = (typeof value === 'number' && value > 1e8) || /^\d{4}-\d\d-\d\dT/.test(String(value))
  return isClock ? { from: 'clock' } : isPlain ? { from: 'token' } : { from: 'anything' }
}
