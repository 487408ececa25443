/**
 * Values that only the server knows: ids, clocks, tokens. A prediction writes a name for each, a text
 * between two characters of private use, so that states and answers stay JSON. A name may stand within a
 * longer text, such as a link.
 */
import type { JsonValue } from '@stateeval/contracts'

type UnknownKind = 'id' | 'clock' | 'token' | 'any'

export const nameUnknown = (kind: UnknownKind, name: string | number) => `\uE000${kind}:${name}\uE001`
/** Matches every value, and a missing one. */
export const anyValue = nameUnknown('any', '')

const whole = /^\uE000([a-z]+):[^\uE000\uE001]*\uE001$/
export const unknownNames = /\uE000[a-z]+:[^\uE000\uE001]*\uE001/g

/** The kind of a name; null for a value that is known. */
export const getUnknownKind = (value: JsonValue | undefined): UnknownKind | null =>
  typeof value === 'string' && value.charCodeAt(0) === 0xe000
    ? ((whole.exec(value)?.[1] as UnknownKind | undefined) ?? null)
    : null
export const hasUnknown = (text: string) => text.includes('\uE000')
