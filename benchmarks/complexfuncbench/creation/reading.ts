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

function readDays(text: string): Set<string> {
  const days = new Set<string>()
  const monthOf = (word: string) => months.findIndex((month) => month === word || month.slice(0, 3) === word)
  for (const [, month = '', day = '', year = ''] of text.matchAll(
    /\b([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/g,
  ))
    if (monthOf(month) >= 0) days.add(formatIsoDate(year, monthOf(month), day))
  for (const [, day = '', month = '', year = ''] of text.matchAll(
    /\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?([a-z]{3,9})\.?,? (\d{4})\b/g,
  ))
    if (monthOf(month) >= 0) days.add(formatIsoDate(year, monthOf(month), day))
  for (const [day] of text.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)) days.add(day)
  return days
}

function readTimes(text: string): Set<string> {
  const times = new Set<string>()
  for (const [, hour = '', minute = '00', half] of text.matchAll(/\b(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b/g))
    times.add(`${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`)
  for (const [, hour = '', minute = ''] of text.matchAll(/\b(\d{1,2}):(\d{2})\b(?! ?[ap]\.?m\b)/g))
    times.add(`${hour.padStart(2, '0')}:${minute}`)
  return times
}

export function readQuery(query: string): QueryReading {
  const text = query.toLowerCase()
  const numbers = new Set([...text.matchAll(/(?<![\d.])-?\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits)))
  const words = new Set(splitPlaceWords(query))
  for (const [value, word] of numberWords.entries()) if (words.has(word)) numbers.add(value)
  return { text, days: readDays(text), times: readTimes(text), numbers, words }
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
