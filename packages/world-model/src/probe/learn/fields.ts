/** Optional fields: accepted, shown, with a default. */
import { isDeepStrictEqual } from 'node:util'
import type { WorldType } from '../../model.ts'
import { formatPointer, getPathValue, parsePointer } from '../../pointer.ts'
import type { MadeItem, ProbeContext } from './context.ts'

/** Sends each optional field alone: fields that are refused, or not shown, are left out. */
export async function learnFields(probe: ProbeContext, name: string, base: MadeItem): Promise<void> {
  const type = probe.model.types[name]!
  for (const key of Object.keys(type.fields)) {
    if (Object.hasOwn(base.sent, key) || key === type.identity.field || type.place?.includes(key)) continue
    const value = probe.drawValue(name, key)
    const made = value === undefined ? undefined : await probe.create(name, probe.drawBody(name, [key]))
    const field = type.fields[key]!
    if (!made || !('id' in made)) {
      delete type.fields[key]
      continue
    }
    const sent = made.sent[key]!
    const shown = made.values[key]
    if (Object.keys(made.values).length > 0 && !isDeepStrictEqual(shown, sent)) {
      if (shown !== undefined && String(shown) === String(sent)) field.stored = 'as text'
      else {
        delete type.fields[key]
        continue
      }
    }
    probe.note('types', name, 'fields', key)
    learnDefault(type, key)
    // Other members that follow this one.
    for (const [pointer, server] of Object.entries(type.server ?? {})) {
      const now = getPathValue(made.values, parsePointer(pointer))
      if (server.from === 'constant' && now !== undefined && !isDeepStrictEqual(now, server.value))
        type.server![pointer] = isDeepStrictEqual(now, sent)
          ? { from: 'copy', field: key, value: server.value }
          : { from: 'anything' }
    }
  }
}

/** A member that was there before the field was sent is its default. */
function learnDefault(type: WorldType, key: string) {
  const pointer = formatPointer([key])
  const server = type.server?.[pointer]
  const field = type.fields[key]!
  delete field.default
  if (server?.from === 'constant') field.default = server.value
  if (server && server.from !== 'constant') server.ifAbsent = true
  else if (server) delete type.server![pointer]
  for (const other of Object.keys(type.server ?? {}))
    if (other.startsWith(`${pointer}/`)) delete type.server![other]
}
