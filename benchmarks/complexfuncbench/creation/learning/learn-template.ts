/**
 * Learns a template from a sample (paper, section 2.1.3), so that one's own or imported samples can be
 * generalised over the travel world: what the query says becomes slots, and every other argument is found
 * anew in the answers of the world. Whether the result is unambiguous is for the check of each sample.
 */
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { findFunction } from '../../travel/functions.ts'
import { ask, openTravel } from '../../travel/world.ts'
import { isHandle } from '../derive.ts'
import { findSaidWords, readQuery } from '../reading.ts'
import type { GoldenCall } from '../sample.ts'
import type { PlannedCall, SampleTemplate, TravelDomain, ValueSource } from '../template.ts'
import { drawValue, orderSlots, type SlotValues } from '../values.ts'
import { NoPath, planCall } from '../walk.ts'
import { findAnswerSource } from './answer-source.ts'
import { QuerySlots } from './query-slots.ts'

/** A sample whose path is to be walked with other values. */
export interface LearnedSample {
  id: string
  domain: TravelDomain
  query: string
  turns: readonly { calls: readonly GoldenCall[]; responses: readonly JsonValue[] }[]
}

/** Fewer new values would make nearly the same sample. */
const leastSlots = 3
/** Worlds and values that are tried: a day may be sold out. */
const maxTries = 12

export function learnTemplate(
  sample: LearnedSample,
  { seed, rng }: { seed: string; rng: RandomSource },
): { template: SampleTemplate } | { fault: string } {
  const foreign = findForeignPart(sample)
  if (foreign !== null) return { fault: `the travel world has no ${foreign}` }
  const { slots, said, query, count } = readSlots(sample)
  if (count < leastSlots) return { fault: `fewer than ${leastSlots} values of its query can be replaced` }
  const { id, domain } = sample
  const plan = { id, domain, query, slots: slots.slots, values: slots.values }
  let fault = ''
  for (let tried = 0; tried < maxTries; tried++) {
    const world = `${seed}-${tried}`
    const values = drawProbe(plan.slots, world, rng.fork(tried))
    try {
      if (!values) throw new NoPath('there are no values for its slots')
      return { template: { ...plan, ...probePath(sample, said, { values, slots: plan, seed: world }) } }
    } catch (error) {
      if (!(error instanceof NoPath)) throw error
      fault = error.message
    }
  }
  return { fault }
}

function readSlots(sample: LearnedSample) {
  const slots = new QuerySlots(sample.query)
  const said = findSaidSources(sample, slots)
  const query = slots.finish()
  const count = Object.keys(slots.slots).filter((name) => query.includes(`{${name}}`)).length
  return { slots, said, query, count }
}

/** How many values of a query can be replaced. */
export const countReplaceable = (sample: LearnedSample): number => readSlots(sample).count

export function findForeignPart({ turns }: LearnedSample): string | null {
  for (const { name, arguments: args } of turns.flatMap(({ calls }) => calls)) {
    const fn = findFunction(name)
    if (!fn) return `function ${name.slice(0, 80)}`
    const unknown = Object.keys(args).find((key) => !fn.parameters.some((one) => one.name === key))
    if (unknown !== undefined) return `parameter ${unknown.slice(0, 80)} of ${name}`
  }
  return null
}

/** Sources of the arguments that the query says, by their places. */
type SaidSources = ReadonlyMap<string, ValueSource>
const formatPlace = (turn: number, call: number, path: string) => `${turn}/${call}/${path}`

function findSaidSources({ query, turns }: LearnedSample, slots: QuerySlots): SaidSources {
  const reading = readQuery(query)
  const said = new Map<string, ValueSource>()
  for (const [turn, { calls, responses }] of turns.entries())
    for (const [call, golden] of calls.entries()) {
      const isHotel = /"\w*_type":"hotel"/.test(JSON.stringify(responses[call] ?? null))
      mapLeaves(golden.arguments, (value, path) => {
        const parameter = path.split('.').at(-1)!
        const isText = typeof value === 'string' || typeof value === 'number'
        const source =
          isText && !isHandle({ name: golden.name, argument: path })
            ? slots.find(parameter, value, isHotel)
            : null
        const isConstant = !isText || findSaidWords(value, reading) !== null
        if (source ?? isConstant) said.set(formatPlace(turn, call, path), source ?? { constant: value })
        return value
      })
    }
  return said
}

/** The arguments with their leaves changed; lists of objects have leaves within. */
function mapLeaves<T>(
  args: JsonObject,
  change: (value: JsonValue, path: string) => T,
): Record<string, T | { list: Record<string, T>[] }> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? {
            list: value.map((part, at) =>
              Object.fromEntries(
                Object.entries(part as JsonObject).map(([key, one]) => [
                  key,
                  change(one, `${name}.${at}.${key}`),
                ]),
              ),
            ),
          }
        : change(value, name),
    ]),
  )
}

function drawProbe(slots: SampleTemplate['slots'], seed: string, rng: RandomSource): SlotValues | null {
  const values: Record<string, JsonValue> = {}
  for (const name of orderSlots({ slots })) {
    const value = drawValue(slots[name]!, { values, seed, rng: rng.fork(name) })
    if (value === null) return null
    values[name] = value
  }
  return values
}

/**
 * Walks the path once, and finds in each answer what later calls take.
 *
 * @throws NoPath where an argument has no source, or a call is refused.
 */
function probePath(
  sample: LearnedSample,
  said: SaidSources,
  { values, slots, seed }: { values: SlotValues; slots: Pick<SampleTemplate, 'values'>; seed: string },
): Pick<SampleTemplate, 'turns' | 'answer' | 'tells'> {
  const reading = readQuery(sample.query)
  let state = openTravel({ seed })
  const data = new Map<string, JsonValue>()
  const turns = sample.turns.map(({ calls }, turn) => {
    const round = calls.map((golden, at): PlannedCall => {
      const find = (value: JsonValue, path: string): ValueSource => {
        const parameter = path.split('.').at(-1)!
        const inQuery = said.get(formatPlace(turn, at, path))
        const isSaid = inQuery !== undefined && !isHandle({ name: golden.name, argument: path })
        const source = isSaid
          ? inQuery
          : (findAnswerSource({ value, parameter, turn, sample, reading, data, own: slots.values, values }) ??
            inQuery)
        if (source) return source
        throw new NoPath(`${golden.name}, ${path}: it follows from neither the query nor an earlier answer`)
      }
      return { as: formatLabel(turn, at), name: golden.name, arguments: mapLeaves(golden.arguments, find) }
    })
    // The calls of a step are made together: none sees another's answer.
    const made = round.map((plan) => planCall(plan, values, data))
    for (const [at, { name, arguments: args }] of made.entries()) {
      const { ok, body, state: next } = ask(state, name, args)
      if (!ok) throw new NoPath(`${name}: ${String(body['message'])}`)
      state = next
      data.set(formatLabel(turn, at), body['data']!)
    }
    return round
  })
  return { turns, ...tellLast(turns.at(-1) ?? [], data) }
}
export const formatLabel = (turn: number, call: number) => `call${turn + 1}x${call + 1}`

/** A final text with something of each last answer. */
function tellLast(
  calls: readonly PlannedCall[],
  data: ReadonlyMap<string, JsonValue>,
): Pick<SampleTemplate, 'answer' | 'tells'> {
  const tells: Record<string, ValueSource> = {}
  const parts = calls.flatMap(({ as, name }, at) => {
    const path = findTextPath(data.get(as) ?? null)
    if (path === null) return []
    tells[`told${at + 1}`] = { of: as, path }
    return [`${name.replaceAll('_', ' ')}: {told${at + 1}}.`]
  })
  return { answer: ['This is what I found.', ...parts].join(' '), tells }
}
function findTextPath(value: JsonValue, path = ''): string | null {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? path : null
  for (const [key, one] of Object.entries(value)) {
    const found = findTextPath(one, path ? `${path}.${key}` : key)
    if (found !== null) return found
  }
  return null
}
