/** Mutants of golden calls: one thing of a call is wrong, as a model might have it wrong. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import type { GoldenCall, SampleTurn } from '../../creation/sample.ts'
import { formatDay, parseDay, parseMinute, formatTime } from '../../travel/dates.ts'
import { cabins } from '../../travel/flights/offers.ts'
import { cities } from '../../travel/geography/cities.ts'
import { findFunction, travelFunctions } from '../../travel/functions.ts'

interface CallMutant {
  operator: string
  turn: number
  call: number
  /** A description of the change. */
  site: string
  /** null: the call is left out. */
  becomes: GoldenCall | null
}

/** One mutant: a call, then an operator among those that apply, then a site, each drawn uniformly. */
export function mutateCall(turns: readonly SampleTurn[], rng: RandomSource): CallMutant {
  const places = turns.flatMap(({ calls }, turn) => calls.map((_, call) => ({ turn, call })))
  const { turn, call } = rng.pick(places)
  const golden = turns[turn]!.calls[call]!
  const options = listMutationOptions(golden, turns.slice(0, turn), rng.fork('values'))
  const operator = rng.pick([...new Set(options.map((one) => one.operator))])
  return { turn, call, ...rng.pick(options.filter((one) => one.operator === operator)) }
}

type MutationOption = Pick<CallMutant, 'operator' | 'site' | 'becomes'>

function listMutationOptions(
  golden: GoldenCall,
  before: readonly SampleTurn[],
  rng: RandomSource,
): MutationOption[] {
  const { name, arguments: args } = golden
  const fn = findFunction(name)!
  const options: MutationOption[] = [{ operator: 'call left out', site: name, becomes: null }]
  for (const { name: parameter, required } of fn.parameters) {
    const value = args[parameter]
    if (value === undefined) continue
    for (const other of listOtherValues(parameter, value, { before, rng: rng.fork(parameter) }))
      options.push({
        operator: 'wrong value',
        site: `${name}.${parameter}: ${JSON.stringify(other).slice(0, 60)} instead of ${JSON.stringify(value).slice(0, 60)}`,
        becomes: { name, arguments: { ...args, [parameter]: other } },
      })
    if (!required) {
      const { [parameter]: _, ...rest } = args
      options.push({
        operator: 'argument left out',
        site: `${name}.${parameter}`,
        becomes: { name, arguments: rest },
      })
    }
  }
  const same = travelFunctions.filter(
    (other) =>
      other.name !== name &&
      other.parameters.length > 0 &&
      other.parameters.every((one) => !one.required || args[one.name] !== undefined) &&
      Object.keys(args).every((key) => other.parameters.some((one) => one.name === key)),
  )
  for (const { name: other } of same)
    options.push({
      operator: 'wrong function',
      site: `${other} instead of ${name}`,
      becomes: { name: other, arguments: args },
    })
  return options
}

/** Other values that such an argument could have. */
function listOtherValues(
  parameter: string,
  value: JsonValue,
  { before, rng }: { before: readonly SampleTurn[]; rng: RandomSource },
): JsonValue[] {
  if (typeof value === 'number') return [value + 1, ...(value > 1 ? [value - 1] : [])]
  if (Array.isArray(value)) {
    // A leg that is wrong: another day, or there and back exchanged.
    const [first, ...rest] = value as JsonObject[]
    const day = parseDay(String(first?.['date']))
    return [
      ...(day === null ? [] : [[{ ...first, date: formatDay(day - 1) }, ...rest]]),
      [{ ...first, fromId: first!['toId']!, toId: first!['fromId']! }, ...rest],
    ]
  }
  const text = String(value)
  const day = parseDay(text)
  if (day !== null) return [formatDay(day + 1), formatDay(day - 1)]
  const minute = parseMinute(text)
  if (minute !== null) return [formatTime(minute + 30)]
  if (parameter === 'cabinClass') return cabins.filter((one) => one !== text)
  if (parameter === 'sort') return ['BEST', 'CHEAPEST', 'FASTEST'].filter((one) => one !== text)
  if (parameter === 'sortBy')
    return ['trending', 'attr_book_score', 'lowest_price'].filter((one) => one !== text)
  if (parameter === 'query') return [rng.pick(cities.filter(({ name }) => !text.includes(name))).name]
  if (parameter === 'children_age' || parameter === 'children') return [String((Number(text) + 5) % 18)]
  return rng.sample(listSiblingValues(text, before), 2)
}

/** Values that stand at the same place of other entries of the list which an id was taken from. */
function listSiblingValues(value: string, before: readonly SampleTurn[]): JsonValue[] {
  const siblings: JsonValue[] = []
  const visit = (data: JsonValue): void => {
    if (typeof data !== 'object' || data === null) return
    if (Array.isArray(data))
      for (const entry of data)
        for (const [key, other] of Object.entries((entry ?? {}) as JsonObject))
          if (String(other) === value)
            siblings.push(
              ...data.flatMap((other) => {
                const there = (other as JsonObject)[key]
                return there === undefined || String(there) === value ? [] : [String(there)]
              }),
            )
    for (const one of Object.values(data)) visit(one)
  }
  for (const { responses } of before) for (const response of responses) visit(response)
  return [...new Set(siblings)]
}
