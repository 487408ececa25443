/** Values of slots: drawn by seed, said in a query, and written as an argument. */
import type { JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { suppliers } from '../travel/cars/inventory.ts'
import { formatDay, parseDay, parseMinute, formatTime } from '../travel/dates.ts'
import { cabins } from '../travel/flights/offers.ts'
import { cities, type CityFacts } from '../travel/geography/cities.ts'
import { listHotels } from '../travel/hotels/inventory.ts'
import type { TemplateSlot, SampleTemplate } from './template.ts'

export type SlotValues = Readonly<Record<string, JsonValue>>

/** The paper's prompt for generalisation: trips are in these two months, stays last at most two weeks. */
const [firstDay, lastDay] = [parseDay('2024-11-01')!, parseDay('2024-12-30')!]

const findNamedCity = (name: JsonValue | undefined): CityFacts =>
  cities.find((city) => city.name === name) ?? cities[0]!

/**
 * Another value for a slot, in a world; null where there is none. `values` are those that are decided
 * already.
 */
export function drawValue(
  slot: TemplateSlot,
  { values, seed, rng }: { values: SlotValues; seed: string; rng: RandomSource },
): JsonValue | null {
  const pick = <T>(list: readonly T[]): T | null => (list.length > 0 ? rng.pick(list) : null)
  switch (slot.kind) {
    case 'city': {
      const usedNames = Object.values(values)
      return pick(cities.filter(({ name }) => !usedNames.includes(name)))?.name ?? null
    }
    case 'landmark':
      return pick(findNamedCity(values[slot.of]).landmarks)
    case 'airport':
      return pick(findNamedCity(values[slot.of]).airports)?.[1] ?? null
    case 'hotel':
      return pick(listHotels(seed).filter(({ city }) => city.name === values[slot.of]))?.name ?? null
    case 'date':
      return drawDate(slot, values, rng)
    case 'time':
      return formatTime(rng.int(16, 40) * 30)
    case 'count':
      return rng.int(slot.from, slot.to)
    case 'distance':
      return rng.int(1, 5) * 10
    case 'age':
      return rng.int(1, 9)
    case 'cabin':
      return rng.pick(cabins)
    case 'supplier':
      return rng.pick(suppliers)
  }
}

function drawDate(
  { after, days = [1, 14] }: Extract<TemplateSlot, { kind: 'date' }>,
  values: SlotValues,
  rng: RandomSource,
): JsonValue | null {
  // A first day leaves room for those that follow it.
  if (after === undefined) return formatDay(rng.int(firstDay, lastDay - 24))
  const day = parseDay(String(values[after]))! + rng.int(...days)
  return day <= lastDay ? formatDay(day) : null
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const cabinWords: Readonly<Record<string, string>> = {
  ECONOMY: 'economy class',
  PREMIUM_ECONOMY: 'premium economy class',
  BUSINESS: 'business class',
  FIRST: 'first class',
}

/** A value in the words of a query. */
export function saySlotValue(slot: TemplateSlot, value: JsonValue): string {
  const text = String(value)
  if (slot.kind === 'date') {
    const [year, month, day] = text.split('-').map(Number) as [number, number, number]
    if (slot.format === 'ISO') return text
    return slot.format === 'day first'
      ? `${day} ${months[month - 1]} ${year}`
      : `${months[month - 1]} ${day}, ${year}`
  }
  if (slot.kind === 'time' && slot.format === 'AM and PM') {
    const minute = parseMinute(text)!
    const hour = Math.floor(minute / 60)
    const past = minute % 60 === 0 ? '' : `:${minute % 60}`
    return `${((hour + 11) % 12) + 1}${past} ${hour < 12 ? 'AM' : 'PM'}`
  }
  if (slot.kind === 'count' && slot.format === 'words') return words[value as number] ?? text
  return slot.kind === 'cabin' ? cabinWords[text]! : text
}

/**
 * Slots in an order in which each follows what it depends on; which of them are replaced together with the
 * first.
 */
export function orderSlots({ slots }: Pick<SampleTemplate, 'slots'>): string[] {
  const needs = (name: string): string | undefined => {
    const slot = slots[name]!
    return 'of' in slot ? slot.of : 'after' in slot ? slot.after : undefined
  }
  const depth = (name: string): number => {
    const before = needs(name)
    return before === undefined ? 0 : 1 + depth(before)
  }
  return Object.keys(slots)
    .map((name, at) => ({ name, at, depth: depth(name) }))
    .sort((a, b) => a.depth - b.depth || a.at - b.at)
    .map(({ name }) => name)
}

export const getDependency = ({ slots }: SampleTemplate, name: string): string | undefined => {
  const slot = slots[name]!
  return 'of' in slot ? slot.of : 'after' in slot ? slot.after : undefined
}
