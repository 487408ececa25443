/** The place in an earlier answer of the world that an argument comes from, as in the sample. */
import { isRecord, type JsonValue } from '@stateeval/contracts'
import { findFunction } from '../../travel/functions.ts'
import { isSaidName, listFigureValues, listNameValues, listPaths } from '../derive.ts'
import { criteria, type QueryReading } from '../reading.ts'
import { readValuePath } from '../sample.ts'
import type { EntryChoice, ValueSource } from '../template.ts'
import type { SlotValues } from '../values.ts'
import { formatLabel, type LearnedSample } from './learn-template.ts'

interface SoughtArgument {
  value: JsonValue
  parameter: string
  /** The step of the call that takes it. */
  turn: number
  sample: LearnedSample
  /** What the query of the sample says. */
  reading: QueryReading
  /** Answers of the world, by label. */
  data: ReadonlyMap<string, JsonValue>
  /** The sample's own values of the slots, and those that are walked with. */
  own: SlotValues
  values: SlotValues
}

/** null where no earlier answer of the world has it. */
export function findAnswerSource(sought: SoughtArgument): ValueSource | null {
  const { value, turn, sample, data } = sought
  for (const [step, { calls, responses }] of sample.turns.slice(0, turn).entries())
    for (const [at, { name, arguments: args }] of calls.entries()) {
      const response = responses[at] ?? null
      const answer = isRecord(response) && 'data' in response ? response['data'] : response
      const answered = data.get(formatLabel(step, at))
      if (answered === undefined) continue
      for (const path of orderByName(listPaths(answer, String(value)), sought.parameter)) {
        const source = findWorldSource(sought, {
          name,
          of: formatLabel(step, at),
          answer,
          path,
          answered,
          args,
        })
        if (source) return source
      }
    }
  return null
}

/** Paths whose last key is the parameter's name come first: two members may have the same value. */
function orderByName(paths: Iterable<string>, parameter: string): string[] {
  const isNamed = (path: string) => path === parameter || path.endsWith(`.${parameter}`)
  const all = [...paths]
  return [...all.filter(isNamed), ...all.filter((path) => !isNamed(path))]
}

interface SampleAnswer {
  name: string
  /** Label of the call. */
  of: string
  args: Readonly<Record<string, JsonValue>>
  /** The answer in the sample, and the path of the value in it. */
  answer: JsonValue
  path: string
  /** The answer in the world. */
  answered: JsonValue
}

function findWorldSource(sought: SoughtArgument, from: SampleAnswer): ValueSource | null {
  const { name, of, path, answered } = from
  for (const { at, id } of findFunction(name)!.entries ?? []) {
    const place = splitAtEntry(path, at)
    if (!place) continue
    for (const listPath of listListPaths(answered, at)) {
      const list = readValuePath(answered, listPath)
      if (!Array.isArray(list) || list.length === 0) continue
      const chosen = chooseEntry(list, place, sought, from)
      const take = chosen && findLeaf(list[chosen.place]!, [place.inEntry, sought.parameter, id])
      if (chosen && take) return { of, at: listPath, take, ...chosen.how }
    }
  }
  const take = findLeaf(answered, [path, sought.parameter])
  return take === null ? null : { of, path: take }
}

/** Paths of the lists at a place whose `*` stands for any. */
function listListPaths(data: JsonValue, [first, ...rest]: readonly string[], path = ''): string[] {
  if (first === undefined) return [path]
  const join = (key: string) => (path ? `${path}.${key}` : key)
  if (first !== '*') return listListPaths(data, rest, join(first))
  const list = readValuePath(data, path)
  return Array.isArray(list) ? list.flatMap((_, at) => listListPaths(data, rest, join(String(at)))) : []
}

/** A path as a list, the place in it and the rest. */
interface EntryPlace {
  list: string
  place: number
  inEntry: string
}

/** Of nested lists the one that is called as the world calls it, or the innermost; null: there is none. */
function splitAtEntry(path: string, world: readonly string[]): EntryPlace | null {
  const keys = path.split('.')
  const isPlace = (key: string | undefined) => key !== undefined && /^\d+$/.test(key)
  const same = keys.findIndex((key, at) => isPlace(key) && keys[at - 1] === world.at(-1))
  const at = same >= 0 ? same : keys.findLastIndex(isPlace)
  return at < 0
    ? null
    : { list: keys.slice(0, at).join('.'), place: Number(keys[at]), inEntry: keys.slice(at + 1).join('.') }
}

/** The leaf of an entry that is called like the first of these paths, or most like it; null where none is. */
function findLeaf(entry: JsonValue, names: readonly string[]): string | null {
  const leaves = [...listLeafPaths(entry)]
  const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const isAlike: ((name: string, path: string) => boolean)[] = [
    (name, path) => name === path,
    (name, path) => lastOf(name) === lastOf(path),
    (name, path) => lastOf(name).endsWith(lastOf(path)),
  ]
  for (const name of names)
    for (const alike of isAlike) {
      const found = leaves.find((path) => alike(name, path))
      if (found !== undefined) return found
    }
  return null
}
function* listLeafPaths(value: JsonValue, path = ''): Generator<string> {
  if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* listLeafPaths(one, path ? `${path}.${key}` : key)
  else if (value !== null) yield path
}

type ChosenEntry = { place: number; how: Pick<EntryChoice, 'where' | 'by'> }

/**
 * The entry that is meant: by a name that the query says, by the criterion that made the sample's entry the
 * one, or the first. null where the name is not in the list.
 */
function chooseEntry(
  list: readonly JsonValue[],
  { list: listPath, place }: EntryPlace,
  { reading, own, values }: SoughtArgument,
  { answer, args }: SampleAnswer,
): ChosenEntry | null {
  const entries = readValuePath(answer, listPath) as JsonValue[]
  const entry = entries[place] ?? null
  const named = [...listNameValues(entry)].find(({ value }) => isSaidName(reading, value))
  if (named && entries.length > 1) {
    const slot = Object.keys(own).find((one) => own[one] === named.value)
    const name = slot === undefined ? named.value : values[slot]
    for (const [at, one] of list.entries())
      for (const { path: where, value } of listNameValues(one))
        if (value === name)
          return { place: at, how: { where: { [where]: slot === undefined ? { is: value } : { slot } } } }
    if (slot === undefined) return null
  }
  const isSorted = ['sort', 'sortBy', 'sort_by'].some((key) => args[key] !== undefined)
  const by = isSorted || list.length === 1 ? null : findCriterion(reading, { entries, entry, list })
  return { place: 0, how: by ? { by } : {} }
}

/** The criterion of the query by which the sample's entry is the one; of a single entry any that is there. */
function findCriterion(
  { text }: QueryReading,
  { entries, entry, list }: { entries: readonly JsonValue[]; entry: JsonValue; list: readonly JsonValue[] },
): EntryChoice['by'] | null {
  const figures = [...listFigureValues(list[0]!)]
  for (const { words, figure, wants } of criteria) {
    if (!words.some((word) => text.includes(word))) continue
    const sign = wants === 'least' ? 1 : -1
    const own = [...listFigureValues(entry)].filter(({ path }) => figure.test(path))
    const isBest = own.some(({ path, value }) =>
      entries.every((other) => sign * (value - Number(readValuePath(other, path))) <= 0),
    )
    const inWorld = figures.find(({ path }) => figure.test(path))
    if (inWorld && (isBest || entries.length === 1)) return [wants, inWorld.path]
  }
  return null
}
