/** RESULT as a clause: 'set RESULT to an object with the keys `listing` (that listing) and `title` (…)'. */
import type { VariableReference, ResultEntry } from '@stateeval/contracts'
import type { TranslationContext } from './context.ts'
import { isName } from './text/path-text.ts'
import type { InstructionReading } from './reading.ts'
import { readReference } from './read-reference.ts'
import { sayReference } from './reference.ts'
import { readSeries, saySeries } from './series.ts'
import { fillTemplate, match } from './text/template.ts'
import type { WordingVoice } from './voice.ts'

interface ResultForm {
  says: string
  entry: string
  /** True if it allows one entry only, or several only. */
  one: boolean
}
const forms: readonly ResultForm[] = [
  { one: true, says: 'set RESULT to an object whose only key, {entries}', entry: '{key}, holds {value}' },
  { one: true, says: 'set RESULT to an object with the single key {entries}', entry: '{key} ({value})' },
  { one: true, says: 'return {entries} in RESULT', entry: '{value} as {key}' },
  { one: false, says: 'set RESULT to an object with the keys {entries}', entry: '{key} ({value})' },
  { one: false, says: 'set RESULT to an object with {entries}', entry: '{value} as {key}' },
  { one: false, says: 'set RESULT to an object with {entries}', entry: '{key} set to {value}' },
  { one: false, says: 'return an object in RESULT that has {entries}', entry: '{value} under the key {key}' },
]
const empty = 'set RESULT to an empty object'
/** More entries, or entries of many words, are easier to read in a list. */
const list = 'set RESULT to an object with these keys'
const listed = '{key}: {value}'
const maxWords = 24

/** RESULT as a clause, with the items of the list after it; null if a value cannot be phrased. */
export function sayResult(
  result: readonly ResultEntry[],
  context: TranslationContext,
  voice: WordingVoice,
): { text: string; items: string[] } | null {
  if (result.length === 0) return { text: empty, items: [] }
  const { says, entry } = voice.rng.pick(forms.filter(({ one }) => one === (result.length === 1)))
  const texts: { key: string; value: string }[] = []
  for (const { key, value } of result) {
    const text = sayReference(value, context, { ...voice, apart: result.length > 1 })
    if (text === null) return null
    texts.push({ key: `\`${key}\``, value: text })
  }
  const entries = saySeries(texts.map((slots) => fillTemplate(entry, slots)))
  if (texts.length > 1 && entries.split(' ').length > maxWords)
    return { text: list, items: texts.map((slots) => fillTemplate(listed, slots)) }
  return { text: fillTemplate(says, { entries }), items: [] }
}

/** Tells whether these tokens announce RESULT as a list. */
export const isResultList = (reading: InstructionReading, from: number, to: number): boolean =>
  match(list, reading.tokens, from, to, () => []).length > 0

/** Every entry that an item of this list may mean. */
export function readListedEntry(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): ResultEntry[] {
  return readEntry(listed, reading, from, to, context)
}

function readEntry(
  entry: string,
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): ResultEntry[] {
  return match<string | VariableReference>(entry, reading.tokens, from, to, (slot, start, end) =>
    slot === 'key' ? readResultKeys(reading, start, end) : readReference(reading, start, end, context),
  ).map(({ key, value }) => ({ key: key as string, value: value as VariableReference }))
}

/** Every RESULT that these tokens may mean. */
export function readResult(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): ResultEntry[][] {
  if (match(empty, reading.tokens, from, to, () => []).length > 0) return [[]]
  return forms.flatMap(({ one, says, entry }) => {
    const matches = match(says, reading.tokens, from, to, (_, start, end) =>
      readSeries(reading, start, end, undefined, (first, last) =>
        readEntry(entry, reading, first, last, context),
      ),
    )
    return matches.flatMap(({ entries }) => (entries && one === (entries.length === 1) ? [entries] : []))
  })
}

function readResultKeys(reading: InstructionReading, from: number, to: number): string[] {
  const name = reading.only('name', from, to)
  return name && isName(name.text) ? [name.text] : []
}
