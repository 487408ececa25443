/** Readings of a query, read without knowing what was meant: days, times, numbers, words, criteria. */
import { splitPlaceWords } from '../travel/geography/places.ts'

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const numberWords = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

export interface QueryReading {
  text: string
  /** YYYY-MM-DD. */
  days: ReadonlySet<string>
  /** HH:MM. */
  times: ReadonlySet<string>
  numbers: ReadonlySet<number>
  words: ReadonlySet<string>
}

const formatIsoDate = (year: string, month: number, day: string) =>
  `${year}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`

/** A day, a time or a number where a text, in lower case, says it. */
interface ValueMention<Format extends string> {
  value: string
  from: number
  to: number
  format: Format
}

type DayFormat = 'month first' | 'day first' | 'ISO'

/** How a day is written, with the names of its parts. Behind `till` stands the day that ends a range. */
const dayForms: readonly (readonly [RegExp, Exclude<DayFormat, 'ISO'>])[] = [
  [
    /\b(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,? (?<year>\d{4})\b|(?<till> ?(?:to|and|until|till|through|[-–]) ?\d{1,2}(?:st|nd|rd|th)?,? (?<until>\d{4})\b))?/g,
    'month first',
  ],
  [
    /\b(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>[a-z]{3,9})\b\.?(?:,? (?<year>\d{4})\b)?/g,
    'day first',
  ],
]

/**
 * Days with their year, which may be that of all other days. The parts of a range, such as `3 to 6 December
 * 2024`, are two days.
 */
export function listDayMentions(text: string): ValueMention<DayFormat>[] {
  const found: (ValueMention<DayFormat> & { year: string | undefined; month: number; day: string })[] = []
  const add = (
    { year, month, day }: { year: string | undefined; month: number; day: string },
    [from, to]: readonly [number, number],
    format: DayFormat,
  ) => {
    if (found.every((one) => to <= one.from || from >= one.to))
      found.push({ year, month, day, value: '', from, to, format })
  }
  for (const { index, 0: said } of text.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)) {
    const [year, month, day] = said.split('-') as [string, string, string]
    add({ year, month: Number(month) - 1, day }, [index, index + said.length], 'ISO')
  }
  for (const [form, format] of dayForms)
    for (const { index, 0: said, groups } of text.matchAll(form)) {
      const { day = '', month: name = '', year, till = '', until } = groups!
      const month = months.findIndex((one) => one === name || one.slice(0, 3) === name)
      if (month < 0) continue
      const end = index + said.length
      add({ year: year ?? until, month, day }, [index, end - till.length], format)
      const last = /\d{1,2}/.exec(till)
      if (last) add({ year: until, month, day: last[0] }, [end - till.length + last.index, end], format)
      // The day before: `3 to` 6 December.
      const before = /\b(\d{1,2})(?:st|nd|rd|th)? ?(?:to|and|until|till|through|[-–]) ?$/.exec(
        text.slice(Math.max(0, index - 20), index),
      )
      const start = before ? index - before[0].length : 0
      if (before && format === 'day first')
        add({ year, month, day: before[1]! }, [start, start + before[1]!.length], format)
    }
  const years = new Set(found.flatMap(({ year }) => year ?? []))
  const [only] = years.size === 1 ? [...years] : []
  return found.flatMap(({ year = only, month, day, from, to, format }) =>
    year === undefined ? [] : [{ value: formatIsoDate(year, month, day), from, to, format }],
  )
}

export function listTimeMentions(text: string): ValueMention<'AM and PM' | '24 hours'>[] {
  const mentions: ValueMention<'AM and PM' | '24 hours'>[] = []
  for (const { index, 0: said, 1: hour = '', 2: minute = '00', 3: half } of text.matchAll(
    /\b(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b/g,
  )) {
    const value = `${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`
    mentions.push({ value, from: index, to: index + said.length, format: 'AM and PM' })
  }
  for (const { index, 0: said, 1: hour = '', 2: minute = '' } of text.matchAll(
    /\b(\d{1,2}):(\d{2})\b(?! ?[ap]\.?m\b)/g,
  ))
    mentions.push({
      value: `${hour.padStart(2, '0')}:${minute}`,
      from: index,
      to: index + said.length,
      format: '24 hours',
    })
  return mentions
}

/** Numbers in digits, and the words up to twelve. */
export function listNumberMentions(text: string): ValueMention<'digits' | 'words'>[] {
  const mentions: ValueMention<'digits' | 'words'>[] = []
  for (const { index, 0: said } of text.matchAll(/(?<![\d.])-?\d+(?:\.\d+)?/g))
    mentions.push({ value: said, from: index, to: index + said.length, format: 'digits' })
  for (const { index, 0: said } of text.matchAll(/\p{L}+/gu)) {
    const value = numberWords.indexOf(said)
    if (value >= 0)
      mentions.push({ value: String(value), from: index, to: index + said.length, format: 'words' })
  }
  return mentions
}

export function readQuery(query: string): QueryReading {
  const text = query.toLowerCase()
  const listValues = (mentions: readonly { value: string }[]) => new Set(mentions.map(({ value }) => value))
  return {
    text,
    days: listValues(listDayMentions(text)),
    times: listValues(listTimeMentions(text)),
    numbers: new Set(listNumberMentions(text).map(({ value }) => Number(value))),
    words: new Set(splitPlaceWords(query)),
  }
}

/** In which words a query asks for a value of a closed list. */
const phrases: Readonly<Record<string, readonly string[]>> = {
  ECONOMY: ['economy'],
  PREMIUM_ECONOMY: ['premium economy'],
  BUSINESS: ['business'],
  FIRST: ['first class'],
  CHEAPEST: ['cheapest', 'lowest price'],
  FASTEST: ['fastest', 'shortest flight'],
  BEST: ['best flight'],
  lowest_price: ['lowest price', 'cheapest'],
  trending: ['most popular', 'trending'],
  attr_book_score: ['highest rated', 'best rated', 'highest score'],
  price: ['cheapest', 'lowest price'],
  popularity: ['most popular', 'top picks'],
  bayesian_review_score: ['best reviewed', 'highest rated'],
  class_descending: ['most stars', 'highest class'],
  distance: ['closest', 'nearest'],
}

/** The words in which the query says a value, or null. `type`: of the parameter that it is for. */
export function findSaidWords(
  value: string | number,
  { text, days, times, numbers, words }: QueryReading,
): string | null {
  if (typeof value === 'number') return numbers.has(value) ? `the number ${value}` : null
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return days.has(value) ? `the day ${value}` : null
  if (/^\d{2}:\d{2}$/.test(value)) return times.has(value) ? `the time ${value}` : null
  if (Object.hasOwn(phrases, value)) {
    const phrase = phrases[value]!.find((one) => text.includes(one))
    if (phrase !== undefined) return `“${phrase}”`
  }
  const numbersOfValue = value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (numbersOfValue.every((one) => numbers.has(one))) return `the number ${value}`
  if (/^[-\d., ]+$/.test(value)) return null
  const valueWords = splitPlaceWords(value)
  return valueWords.length > 0 && valueWords.every((word) => words.has(word)) ? `“${value}”` : null
}

/**
 * Criteria that make an entry of a list the one that is meant: words of the query, and the figure that they
 * are about.
 */
export const criteria: readonly {
  words: readonly string[]
  figure: RegExp
  wants: 'least' | 'most'
}[] = [
  { words: ['cheapest', 'lowest price'], figure: /price|amount|value|units/i, wants: 'least' },
  { words: ['most expensive'], figure: /price|amount|value|units/i, wants: 'most' },
  {
    words: ['highest rated', 'best rated', 'highest score', 'best reviewed'],
    figure: /score|average|rating/i,
    wants: 'most',
  },
  { words: ['fastest', 'shortest'], figure: /time|duration/i, wants: 'least' },
  { words: ['closest', 'nearest'], figure: /distance/i, wants: 'least' },
  { words: ['most reviews'], figure: /review(count|_nr)|total/i, wants: 'most' },
]
/** Words that ask for the beginning of a list as it is. */
export const firstWords = ['first', 'earliest'] as const
