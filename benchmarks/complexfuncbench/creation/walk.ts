/**
 * Walks a template's path in a world, with values in its slots: each argument is found anew in what was
 * answered before.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { FunctionParameter } from '../travel/function.ts'
import { findFunction } from '../travel/functions.ts'
import { ask, openTravel, type TravelState, type TravelWorld } from '../travel/world.ts'
import { type GoldenCall, type SampleTurn, readValuePath, type WalkedSample } from './sample.ts'
import type { EntryChoice, PlannedCall, ValueSource, SampleTemplate } from './template.ts'
import { saySlotValue, type SlotValues } from './values.ts'

/** Why a path can't be walked, as a sentence. */
export class NoPath extends Error {}

/** How a path is walked. */
interface WalkManner {
  /** Changes a call before it is made; null leaves it out. */
  change?: (call: GoldenCall, turn: number, at: number) => GoldenCall | null
  /** Calls whose arguments can't be found are left out, and refusals are taken as answers. */
  stumbles?: boolean
}

interface PathWalk {
  turns: SampleTurn[]
  state: TravelState
  /** The data of each call, by its label. */
  data: ReadonlyMap<string, JsonValue>
}

/** @throws NoPath where an argument can't be found, or a call is refused; never if it stumbles. */
export function walk(
  template: SampleTemplate,
  values: SlotValues,
  world: TravelWorld,
  { change = (call) => call, stumbles = false }: WalkManner = {},
): PathWalk {
  const data = new Map<string, JsonValue>()
  let state = openTravel(world)
  const turns = template.turns.map((planned, turn): SampleTurn => {
    // The calls of a turn are made together: none sees another's answer.
    const calls = planned.flatMap((one, at) => {
      const call = attemptStep(() => planCall(one, values, data), stumbles)
      const changed = call && change(call, turn, at)
      return changed ? [{ label: one.as, call: changed }] : []
    })
    const steps = calls.map(({ label, call }) => {
      const { state: next, body, ok } = ask(state, call.name, call.arguments)
      if (!ok && !stumbles) throw new NoPath(`${call.name}: ${String(body['message'])}`)
      state = next
      if (ok) data.set(label, body['data']!)
      return { call, response: body }
    })
    return { calls: steps.map(({ call }) => call), responses: steps.map(({ response }) => response) }
  })
  return { turns, state, data }
}

function attemptStep<T>(make: () => T, stumbles: boolean): T | null {
  try {
    return make()
  } catch (error) {
    if (stumbles && error instanceof NoPath) return null
    throw error
  }
}

/** The sample that a template gives with these values; not yet checked. */
export function walkTemplate(
  template: SampleTemplate,
  id: string,
  values: SlotValues,
  world: TravelWorld,
): WalkedSample {
  const { turns, data } = walk(template, values, world)
  const { slots, query, tells } = template
  const slotTexts = Object.fromEntries(
    Object.entries(slots).map(([name, slot]) => [name, saySlotValue(slot, values[name]!)]),
  )
  const answerTexts = Object.fromEntries(
    Object.entries(tells).map(([name, source]) => [name, String(find(source, values, data))]),
  )
  return {
    id,
    query: fillSlots(query, slotTexts),
    turns,
    answer: fillSlots(template.answer, { ...slotTexts, ...answerTexts }),
    world,
  }
}

const fillSlots = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

export function planCall(
  { name, arguments: sources }: PlannedCall,
  values: SlotValues,
  data: ReadonlyMap<string, JsonValue>,
): GoldenCall {
  const { parameters } = findFunction(name)!
  const args: JsonObject = {}
  for (const [parameter, source] of Object.entries(sources)) {
    const { type } = parameters.find((one) => one.name === parameter)!
    args[parameter] =
      'list' in source
        ? source.list.map((part) =>
            Object.fromEntries(
              Object.entries(part).map(([key, one]) => [key, convertType(find(one, values, data), 'string')]),
            ),
          )
        : convertType(find(source, values, data), type)
  }
  return { name, arguments: args }
}

const convertType = (value: JsonValue, type: FunctionParameter['type']): JsonValue =>
  type === 'string' && typeof value === 'number' ? String(value) : value

function find(source: ValueSource, values: SlotValues, data: ReadonlyMap<string, JsonValue>): JsonValue {
  if ('constant' in source) return source.constant
  if ('slot' in source) return values[source.slot]!
  if ('slots' in source) return source.slots.map((name) => String(values[name])).join(', ')
  const answer = data.get(source.of)
  const value = 'path' in source ? readValuePath(answer, source.path) : choose(source, answer, values)
  return value ?? throwMissing(source)
}

function throwMissing(source: { of: string }): never {
  throw new NoPath(`the answer ${source.of} has nothing at ${JSON.stringify(source)}`)
}

function choose(
  choice: EntryChoice,
  answer: JsonValue | undefined,
  values: SlotValues,
): JsonValue | undefined {
  const list = readValuePath(answer, choice.at)
  if (!Array.isArray(list)) return undefined
  const fitting = list.filter((one) =>
    Object.entries(choice.where ?? {}).every(
      ([path, condition]) =>
        readValuePath(one, path) === ('slot' in condition ? values[condition.slot] : condition.is),
    ),
  )
  const { by } = choice
  const sign = by?.[0] === 'most' ? -1 : 1
  const value = (one: JsonValue) => sign * Number(readValuePath(one, by![1]))
  const entry = by
    ? fitting.reduce((best, one) => (value(one) < value(best) ? one : best), fitting[0]!)
    : fitting[0]
  return entry === undefined ? undefined : readValuePath(entry, choice.take)
}
