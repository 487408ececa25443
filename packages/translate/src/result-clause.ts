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
  one: string
  several: string
  entry: string
}
const forms: readonly ResultForm[] = [
  {
    one: 'set RESULT to an object with the key {entries}',
    several: 'set RESULT to an object with the keys {entries}',
    entry: '{key} ({value})',
  },
  { one: 'set RESULT to an object with {entries}', several: 'set RESULT to an object with {entries}', entry: '{value} as {key}' },
  { one: 'put {entries} in RESULT', several: 'put {entries} in RESULT', entry: '{value} under the key {key}' },
  { one: 'return an object in RESULT whose {entries}', several: 'return an object in RESULT whose {entries}', entry: '{key} is {value}' },
]
const empty = 'set RESULT to an empty object'

export function sayResult(result: readonly ResultEntry[], context: Context, voice: Voice): string | null {
  if (result.length === 0) return empty
  const { one, several, entry } = voice.rng.pick(forms)
  const texts = result.map(({ key, value }) => ({ key, value: sayReference(value, { ...context, it: null }, voice) }))
  if (texts.some(({ value }) => value === null)) return null
  const entries = saySeries(texts.map(({ key, value }) => fill(entry, { key: `\`${key}\``, value: value as string })))
  return fill(result.length === 1 ? one : several, { entries })
}

/** Every RESULT that these tokens may mean. */
export function readResult(reading: Reading, from: number, to: number, context: Context): ResultEntry[][] {
  if (match(empty, reading.tokens, from, to, () => []).length > 0) return [[]]
  return forms.flatMap(({ one, several, entry }) => {
    const read = (start: number, end: number): ResultEntry[] =>
      match<string | Reference>(entry, reading.tokens, start, end, (slot, a, b) =>
        slot === 'key' ? keys(reading, a, b) : readReference(reading, a, b, context),
      ).map(({ key, value }) => ({ key: key as string, value: value as Reference }))
    const found = [...new Set([one, several])].flatMap((says) =>
      match(says, reading.tokens, from, to, (_, start, end) =>
        readSeries(reading, start, end, undefined, read).filter((all) => one === several || (says === one) === (all.length === 1)),
      ),
    )
    return found.map(({ entries }) => entries as ResultEntry[])
  })
}

function keys(reading: Reading, from: number, to: number): string[] {
  const name = reading.only('name', from, to)
  return name && isName(name.text) ? [name.text] : []
}
