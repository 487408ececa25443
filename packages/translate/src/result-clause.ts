/** RESULT as a clause: 'set RESULT to an object with the keys `listing` (that listing) and `title` (…)'. */
import type { Reference, ResultEntry } from '@stateeval/contracts'
import type { Context } from './context.ts'
import { isName } from './path-text.ts'
import type { Reading } from './reading.ts'
import { readReference, sayReference } from './reference.ts'
import { readSeries, saySeries } from './series.ts'
import { fill, match } from './template.ts'
import type { Voice } from './voice.ts'

interface ResultForm {
  says: string
  entry: string
  /** Whether it says one entry only, or several only. */
  one: boolean
}
const forms: readonly ResultForm[] = [
  { one: true, says: 'set RESULT to an object whose only key, {entries}', entry: '{key}, holds {value}' },
  { one: true, says: 'set RESULT to an object with the single key {entries}', entry: '{key} ({value})' },
  { one: true, says: 'return {entries} in RESULT', entry: '{value} as {key}' },
  { one: false, says: 'set RESULT to an object with the keys {entries}', entry: '{key} ({value})' },
  { one: false, says: 'set RESULT to an object with {entries}', entry: '{value} as {key}' },
  { one: false, says: 'set RESULT to an object {entries}', entry: 'whose {key} is {value}' },
  { one: false, says: 'return an object in RESULT that has {entries}', entry: '{value} under the key {key}' },
]
const empty = 'set RESULT to an empty object'

export function sayResult(result: readonly ResultEntry[], context: Context, voice: Voice): string | null {
  if (result.length === 0) return empty
  const { says, entry } = voice.rng.pick(forms.filter(({ one }) => one === (result.length === 1)))
  const texts = result.map(({ key, value }) => ({
    key,
    value: sayReference(value, { ...context, it: null }, { ...voice, apart: result.length > 1 }),
  }))
  if (texts.some(({ value }) => value === null)) return null
  const entries = saySeries(
    texts.map(({ key, value }) => fill(entry, { key: `\`${key}\``, value: value as string })),
  )
  return fill(says, { entries })
}

/** Every RESULT that these tokens may mean. */
export function readResult(reading: Reading, from: number, to: number, context: Context): ResultEntry[][] {
  if (match(empty, reading.tokens, from, to, () => []).length > 0) return [[]]
  return forms.flatMap(({ one, says, entry }) => {
    const read = (start: number, end: number): ResultEntry[] =>
      match<string | Reference>(entry, reading.tokens, start, end, (slot, a, b) =>
        slot === 'key' ? keys(reading, a, b) : readReference(reading, a, b, context),
      ).map(({ key, value }) => ({ key: key as string, value: value as Reference }))
    const matches = match(says, reading.tokens, from, to, (_, start, end) =>
      readSeries(reading, start, end, undefined, read),
    )
    return matches.flatMap(({ entries }) => (entries && one === (entries.length === 1) ? [entries] : []))
  })
}

function keys(reading: Reading, from: number, to: number): string[] {
  const name = reading.only('name', from, to)
  return name && isName(name.text) ? [name.text] : []
}
