/**
 * The mechanical check of a sample (paper, section 2.1.2: correction and disambiguation): every golden
 * argument must follow from the query or an earlier response, and where a response has several entries, from
 * what makes one of them the one that is meant. It looks at the sample alone, not at the template that it was
 * made from.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { findFunction } from '../travel/functions.ts'
import { type ArgumentDerivation, type SampleTurn, readValuePath } from './sample.ts'
import { criteria, firstWords, type QueryReading, readQuery, findSaidWords } from './reading.ts'

/**
 * Describes a fault of an argument. `rivals`: entries among which nothing decides, by the function that gave
 * them.
 */
interface UnderivedArgument {
  turn: number
  call: number
  argument: string
  says: string
  rivals?: { function: string; ids: string[] }
}

/** Derivations in the order of the arguments, or the first argument that has none. */
export function derive(
  query: string,
  turns: readonly SampleTurn[],
): { derivations: ArgumentDerivation[] } | { fault: UnderivedArgument } {
  const reading = readQuery(query)
  const derivations: ArgumentDerivation[] = []
  for (const [turn, { calls }] of turns.entries())
    for (const [call, { name, arguments: args }] of calls.entries())
      for (const { argument, value } of listArgumentLeaves(args)) {
        const place = { turn, call, argument }
        const source = findSource(value, { place, name, reading, turns })
        if ('says' in source) return { fault: { ...place, ...source } }
        derivations.push({ ...place, from: source })
      }
  return { derivations }
}

type DerivationSource = ArgumentDerivation['from']
type MissingSource = Pick<UnderivedArgument, 'says' | 'rivals'>
interface ArgumentPlace {
  place: Pick<ArgumentDerivation, 'turn' | 'call' | 'argument'>
  name: string
  reading: QueryReading
  turns: readonly SampleTurn[]
}

function listArgumentLeaves(value: JsonValue, argument = ''): { argument: string; value: string | number }[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) =>
      listArgumentLeaves(one, argument ? `${argument}.${key}` : key),
    )
  return [{ argument, value: typeof value === 'number' ? value : String(value) }]
}

/** An id or a token: documented as a value of another function, so it is looked for in responses first. */
export function isHandle({ name, argument }: { name: string; argument: string }): boolean {
  const parameter = findFunction(name)?.parameters.find((one) => argument.split('.')[0] === one.name)
  return parameter?.type === 'array' ? /Id$/.test(argument) : /\bof [A-Z][a-z]+_/.test(parameter?.about ?? '')
}

function findSource(value: string | number, where: ArgumentPlace): DerivationSource | MissingSource {
  const { place, name, reading } = where
  const phrase = findSaidWords(value, reading)
  const inQuery: DerivationSource | null = phrase === null ? null : { in: 'query', as: phrase }
  if (inQuery && !isHandle({ name, argument: place.argument })) return inQuery
  const inResponse = findResponseSource(value, where)
  if (inResponse && !('says' in inResponse)) return inResponse
  return (
    inQuery ??
    inResponse ?? { says: `${String(value).slice(0, 80)} is in neither the query nor an earlier response` }
  )
}

/** The best justified place where an earlier response has the value; null where none has it. */
function findResponseSource(
  value: string | number,
  { place, reading, turns }: ArgumentPlace,
): DerivationSource | MissingSource | null {
  let missing: MissingSource | null = null
  for (const [turn, { calls, responses }] of turns.slice(0, place.turn).entries())
    for (const [call, { name, arguments: args }] of calls.entries())
      for (const path of listPaths(responses[call]!['data'] ?? null, String(value))) {
        const why = isJustified({ name, args, data: responses[call]!['data']!, path, reading })
        if ('rivals' in why) missing ??= { says: why.says, rivals: { function: name, ids: why.rivals } }
        else return { in: 'response', turn, call, path, ...why }
      }
  return missing
}

/** Places with this text or number. */
export function* listPaths(data: JsonValue, value: string, path = ''): Generator<string> {
  if (typeof data === 'object' && data !== null) {
    for (const [key, one] of Object.entries(data)) yield* listPaths(one, value, path ? `${path}.${key}` : key)
  } else if (String(data) === value) yield path
}

interface TakenResponse {
  name: string
  args: JsonObject
  data: JsonValue
  path: string
  reading: QueryReading
}

/** Why the entry with this path is the one: in a list of alternatives nothing else may be meant as well. */
function isJustified({
  name,
  args,
  data,
  path,
  reading,
}: TakenResponse): { because?: string } | { says: string; rivals: string[] } {
  const keys = path.split('.')
  for (const { at, id } of findFunction(name)?.entries ?? []) {
    if (!at.every((key, n) => key === '*' || key === keys[n])) continue
    const list = readValuePath(data, keys.slice(0, at.length).join('.'))
    if (!Array.isArray(list)) continue
    const place = Number(keys[at.length])
    if (list.length === 1) return { because: 'it is the only entry' }
    const idsOf = (entries: readonly JsonValue[]) => entries.map((one) => String(readValuePath(one, id)))
    const others = list.filter((_, one) => one !== place)
    // A place that was looked up by name may be meant as well as the other ones that are called so.
    if (isPlaceFinder(name)) return { says: `${name} finds ${list.length} places`, rivals: idsOf(others) }
    const reason = findReason(list, place, { args, reading })
    if (typeof reason === 'string') return { because: reason }
    const says = `nothing decides among the ${list.length} entries of ${name}`
    return reason ? { says, rivals: idsOf(reason.ties) } : { says, rivals: [] }
  }
  return {}
}

/**
 * The entry of a list of alternatives that a path into an answer's data goes through; null where it goes
 * through none.
 */
export function findEntry(name: string, data: JsonValue, path: string): JsonValue | null {
  const keys = path.split('.')
  for (const { at } of findFunction(name)?.entries ?? []) {
    if (!at.every((key, n) => key === '*' || key === keys[n])) continue
    const list = readValuePath(data, keys.slice(0, at.length).join('.'))
    if (Array.isArray(list)) return list[Number(keys[at.length])] ?? null
  }
  return null
}

/** Functions that find places by name. */
export const isPlaceFinder = (name: string) =>
  /^(Search_\w+_(Location|Destination)|Location_to_Lat_Long|Taxi_Search_Location)$/.test(name)

/**
 * Finds the reason to choose an entry; or the other ones that are as good by what the query asks for; null:
 * nothing.
 */
function findReason(
  list: readonly JsonValue[],
  place: number,
  { args, reading }: { args: JsonObject; reading: QueryReading },
): string | { ties: JsonValue[] } | null {
  const others = list.filter((_, at) => at !== place)
  let ties: JsonValue[] | null = null
  const figures = [...listFigureValues(list[place]!)]
  for (const { words, figure, wants } of criteria) {
    const cue = words.find((word) => reading.text.includes(word))
    if (cue === undefined) continue
    for (const { path, value } of figures.filter(({ path: one }) => figure.test(one))) {
      const ahead = (other: JsonValue) => {
        const figureOfOther = Number(readValuePath(other, path))
        return wants === 'least' ? value - figureOfOther : figureOfOther - value
      }
      if (others.every((other) => ahead(other) < 0)) return `${cue}: ${wants} ${path}`
      if (others.every((other) => ahead(other) <= 0)) ties ??= others.filter((other) => ahead(other) === 0)
    }
  }
  for (const { path, value } of listNameValues(list[place]!)) {
    if (!isSaidName(reading, value)) continue
    const called = others.map((other) => readValuePath(other, path))
    if (!called.some((other) => typeof other === 'string' && isSaidName(reading, other)))
      return `it is called ${value}`
  }
  if (ties || place !== 0) return ties && { ties }
  const order = ['sort', 'sortBy', 'sort_by'].find((key) => typeof args[key] === 'string')
  if (order !== undefined && findSaidWords(String(args[order]), reading) !== null)
    return `it is the first by ${String(args[order])}`
  const first = firstWords.find((word) => reading.words.has(word))
  return first === undefined ? null : `it is the ${first}`
}

export const isSaidName = ({ words }: QueryReading, name: string) => {
  const nameWords = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return nameWords.length > 0 && nameWords.every((word) => words.has(word))
}

export function* listFigureValues(entry: JsonValue, path = ''): Generator<{ path: string; value: number }> {
  if (typeof entry === 'object' && entry !== null) {
    for (const [key, one] of Object.entries(entry))
      yield* listFigureValues(one, path ? `${path}.${key}` : key)
  } else if (typeof entry === 'number' || (typeof entry === 'string' && /^\d+(?:\.\d+)?$/.test(entry)))
    yield { path, value: Number(entry) }
}
const nameFields = /(^|\.)(name|title|category|hotel_name|cityName)$/
export function* listNameValues(entry: JsonValue, path = ''): Generator<{ path: string; value: string }> {
  if (typeof entry === 'object' && entry !== null) {
    for (const [key, one] of Object.entries(entry)) yield* listNameValues(one, path ? `${path}.${key}` : key)
  } else if (typeof entry === 'string' && nameFields.test(path)) yield { path, value: entry }
}
