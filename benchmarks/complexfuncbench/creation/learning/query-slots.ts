/**
 * The parts of a query that can be replaced, found by the arguments that say the same: places, days, times,
 * numbers, cabins and suppliers (paper, appendix A.4). Criteria stay as they are.
 */
import type { JsonValue } from '@stateeval/contracts'
import { suppliers } from '../../travel/cars/inventory.ts'
import { cabins } from '../../travel/flights/offers.ts'
import { places } from '../../travel/geography/places.ts'
import { listDayMentions, listNumberMentions, listTimeMentions } from '../reading.ts'
import type { TemplateSlot, ValueSource } from '../template.ts'

interface QueryPart {
  from: number
  to: number
  slot: string
}

/** Words near a number that say what it counts, by the parameter that takes it. */
const counted: readonly (readonly [parameter: RegExp, words: RegExp, slot: TemplateSlot])[] = [
  [/age|children/i, /\b(year|aged?|child|son|daughter|old)/, { kind: 'age' }],
  [/radius|distance/i, /\b(km|kilomet)/, { kind: 'distance' }],
  [/room/i, /\broom/, { kind: 'count', from: 2, to: 3 }],
  [
    /adult|people|guest|ticket|passenger/i,
    /\b(adult|people|person|guest|traveller|traveler|passenger|ticket|friend|of us)/,
    { kind: 'count', from: 2, to: 4 },
  ],
]
/** Characters around a number in which such a word is looked for. */
const nearby = 25

/** Functions whose `query` names a place. */
const placeQuery = /^(query|location|place)$/

export class QuerySlots {
  readonly slots: Record<string, TemplateSlot> = {}
  readonly values: Record<string, JsonValue> = {}
  readonly #parts: QueryPart[] = []
  readonly #query: string
  readonly #text: string

  /** Names of places in the query: a shorter one within a longer one is no mention. */
  readonly #names: { from: number; to: number }[]

  constructor(query: string) {
    this.#query = query
    this.#text = query.toLowerCase()
    this.#names = places.flatMap(({ name }) => this.#occurrences(name))
  }

  /**
   * The source of an argument that the query says in words that can be replaced; null where there is none.
   *
   * @param isHotel the answer to the call has hotels
   */
  find(parameter: string, value: string | number, isHotel: boolean): ValueSource | null {
    const text = String(value)
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return this.#findDay(text)
    if (/^\d{2}:\d{2}$/.test(text)) return this.#findTime(text)
    if (/^\d+$/.test(text)) return this.#findNumber(parameter, text)
    if (cabins.some((one) => one === text)) return this.#findCabin(text)
    const supplier = suppliers.find((one) => one.toLowerCase() === text.toLowerCase())
    if (supplier !== undefined) return this.#findText(supplier, { kind: 'supplier' })
    return placeQuery.test(parameter) ? this.#findPlaces(text, isHotel) : null
  }

  /** The query with its slots in braces. Days that follow one another keep their order. */
  finish(): string {
    const days = Object.keys(this.slots).filter((name) => this.slots[name]!.kind === 'date')
    days.sort((a, b) => (String(this.values[a]) < String(this.values[b]) ? -1 : 1))
    for (const [at, name] of days.entries())
      if (at > 0)
        this.slots[name] = { ...this.slots[name]!, after: days[at - 1]!, days: [1, 14] } as TemplateSlot
    let query = this.#query
    for (const { from, to, slot } of this.#parts.toSorted((a, b) => b.from - a.from))
      query = `${query.slice(0, from)}{${slot}}${query.slice(to)}`
    return query
  }

  #isFree = ({ from, to }: { from: number; to: number }) =>
    this.#parts.every((part) => to <= part.from || from >= part.to)

  /** One slot for all its mentions. */
  #add(slot: TemplateSlot, value: JsonValue, mentions: readonly { from: number; to: number }[]): ValueSource {
    const before = Object.keys(this.slots).filter((name) => name.startsWith(slot.kind)).length
    const name = `${slot.kind}${before + 1}`
    this.slots[name] = slot
    this.values[name] = value
    for (const { from, to } of mentions) this.#parts.push({ from, to, slot: name })
    return { slot: name }
  }

  #known(kinds: readonly TemplateSlot['kind'][], value: JsonValue): ValueSource | null {
    const name = Object.keys(this.slots).find(
      (one) => kinds.includes(this.slots[one]!.kind) && this.values[one] === value,
    )
    return name === undefined ? null : { slot: name }
  }

  #findDay(value: string): ValueSource | null {
    const mentions = listDayMentions(this.#text).filter((one) => one.value === value && this.#isFree(one))
    const [first] = mentions
    return (
      this.#known(['date'], value) ??
      (first ? this.#add({ kind: 'date', format: first.format }, value, mentions) : null)
    )
  }

  #findTime(value: string): ValueSource | null {
    const mentions = listTimeMentions(this.#text).filter((one) => one.value === value && this.#isFree(one))
    const [first] = mentions
    return (
      this.#known(['time'], value) ??
      (first ? this.#add({ kind: 'time', format: first.format }, value, mentions) : null)
    )
  }

  /** A number whose words say what it is; two of the same value are told apart by them. */
  #findNumber(parameter: string, value: string): ValueSource | null {
    const rule = counted.find(([of]) => of.test(parameter))
    if (!rule) return null
    const [, words, slot] = rule
    // The words around it say whether it is one or several.
    if (slot.kind === 'count' && value === '1') return null
    const isAbout = ({ from, to }: { from: number; to: number }) =>
      words.test(this.#text.slice(slot.kind === 'age' ? Math.max(0, from - nearby) : from, to + nearby))
    const mention = listNumberMentions(this.#text).find(
      (one) =>
        one.value === value &&
        isAbout(one) &&
        (this.#isFree(one) || this.#slotAt(one.from, slot.kind) !== undefined),
    )
    if (!mention) return null
    const same = this.#slotAt(mention.from, slot.kind)
    if (same !== undefined) return { slot: same }
    const isWord = mention.format === 'words' && slot.kind === 'count'
    return this.#add(isWord ? { ...slot, format: 'words' } : slot, Number(value), [mention])
  }

  #slotAt = (place: number, kind: TemplateSlot['kind']): string | undefined =>
    this.#parts.find(({ from, slot }) => from === place && this.slots[slot]!.kind === kind)?.slot

  #findCabin(value: string): ValueSource | null {
    const words = value.toLowerCase().replace('_', ' ')
    const match = new RegExp(`\\b${words}(?:[ -]class)?\\b`).exec(this.#text)
    if (!match) return null
    const mention = { from: match.index, to: match.index + match[0].length }
    return (
      this.#known(['cabin'], value) ??
      (this.#isFree(mention) ? this.#add({ kind: 'cabin' }, value, [mention]) : null)
    )
  }

  #occurrences(words: string): { from: number; to: number }[] {
    const mentions: { from: number; to: number }[] = []
    const lower = words.toLowerCase()
    for (let at = this.#text.indexOf(lower); at >= 0; at = this.#text.indexOf(lower, at + 1)) {
      const around = [this.#text[at - 1] ?? ' ', this.#text[at + lower.length] ?? ' ']
      if (around.every((character) => !/[\p{L}\p{N}]/u.test(character)))
        mentions.push({ from: at, to: at + lower.length })
    }
    return mentions
  }

  #mentionsOf(words: string): { from: number; to: number }[] {
    const isWithin = ({ from, to }: { from: number; to: number }) =>
      this.#names.some((one) => one.from <= from && one.to >= to && one.to - one.from > to - from)
    return this.#occurrences(words).filter((one) => this.#isFree(one) && !isWithin(one))
  }

  #findText(words: string, slot: TemplateSlot): ValueSource | null {
    const known = this.#known([slot.kind], words)
    if (known) return known
    const mentions = this.#mentionsOf(words)
    return mentions.length > 0 ? this.#add(slot, words, mentions) : null
  }

  /** A place, or one in another, such as `Eiffel Tower, Paris`. */
  #findPlaces(text: string, isHotel: boolean): ValueSource | null {
    const names = text.split(/,\s*/).filter((one) => one !== '')
    const city = names.length > 1 ? this.#findPlace(names.at(-1)!) : null
    if (names.length > 2 || (names.length > 1 && !city)) return null
    const first = this.#findPlace(names[0]!, city && 'slot' in city ? city.slot : undefined, isHotel)
    if (!first || !city) return first
    return 'slot' in first && 'slot' in city ? { slots: [first.slot, city.slot] } : null
  }

  /**
   * A place that the world does not have is a city, if its name does not say otherwise: any of the world's
   * cities may stand for it.
   */
  #findPlace(name: string, within?: string, isHotel = false): ValueSource | null {
    const known = this.#known(['city', 'landmark', 'airport', 'hotel'], name)
    if (known) return known
    const place = places.find((one) => one.name.toLowerCase() === name.toLowerCase())
    const isAirport = place ? place.type === 'airport' : /\bairport\b/i.test(name)
    const isPart = place ? place.type !== 'city' : isAirport || isHotel || within !== undefined
    if (!isPart) return this.#findText(name, { kind: 'city' })
    const mentions = this.#mentionsOf(name)
    if (mentions.length === 0) return null
    this.#names.push(...mentions)
    const of = within ?? this.#cityOf(name, place?.city.name, mentions[0]!)
    return this.#add({ kind: isAirport ? 'airport' : isHotel ? 'hotel' : 'landmark', of }, name, mentions)
  }

  /**
   * The slot of the city that a part lies in: as the world has it, the one in its name, the one named next,
   * or one that the query does not name.
   */
  #cityOf(part: string, name: string | undefined, { to }: { to: number }): string {
    const next = /^(?:,| in| of)\s+(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*)/u.exec(this.#query.slice(to))?.[1]
    const inName = Object.keys(this.slots).find(
      (slot) => this.slots[slot]!.kind === 'city' && part.startsWith(`${String(this.values[slot])} `),
    )
    if (name === undefined && inName !== undefined) return inName
    const city = name ?? next
    const source = city === undefined ? null : this.#findText(city, { kind: 'city' })
    if (source && 'slot' in source) return source.slot
    return (this.#add({ kind: 'city' }, city ?? `the city of ${part}`, []) as { slot: string }).slot
  }
}
