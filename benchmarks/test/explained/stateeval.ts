/** Programs: differences name a place in RESULT or in the state of one input. */
import { canonicalJson, type Case, type JsonValue, type Observation } from '@stateeval/contracts'
import { oneAnswer, runEpisode } from '@stateeval/program'
import { benchmark, cases } from '../../stateeval/test/cases.ts'
import { change, listPlaces, readAt } from '../places.ts'
import { defineExplained, isShownAs } from './kind.ts'

/** What the run of an input left. */
interface InputOutcome {
  result?: JsonValue
  state?: JsonValue
}

/** Texts as long as explanations never show them. */
const lengthen = (value: JsonValue): JsonValue =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      key === 'title' ? `${'long '.repeat(100)}${String(one)}` : one,
    ),
  ) as JsonValue
const drawn = cases(4)
const long = {
  ...drawn[0]!,
  id: 'long',
  oracles: drawn[0]!.oracles.map(({ result, world, ...one }) => ({
    ...one,
    result: lengthen(result as JsonValue),
    world: { ...world, state: lengthen(world.state as JsonValue) },
  })),
} as Case

const optionsOf = (policy: string) => ({ prompting: 'direct', language: 'javascript', policy }) as const

/** Keys as explanations write them; `id` where an item is meant by its token. */
function parsePlace(where: string): (string | number | { id: string })[] {
  const parts = where.matchAll(/\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\[(<[^>]+>|\?)\]/g)
  return [...parts].map(([, name, index, quoted, id]) =>
    id !== undefined
      ? { id }
      : index !== undefined
        ? Number(index)
        : quoted !== undefined
          ? (JSON.parse(quoted) as string)
          : name!,
  )
}

/** Places that a name may mean in one side: the item of its id, or another one that may answer it. */
function listMeant(
  c: Case,
  input: number,
  root: InputOutcome,
  where: string,
  isFound: boolean,
): (string | number)[][] {
  const { ids } = c.oracles[input]!.world
  let places: (string | number)[][] = [[]]
  for (const part of parsePlace(where)) {
    if (typeof part !== 'object') {
      places = places.map((place) => [...place, part])
      continue
    }
    const [, number, kind = 'created'] = /^<id (\d+) \((\w+)\)>$/.exec(part.id) ?? []
    const id = number && ids[kind as 'initial' | 'created'][Number(number) - 1]
    places = places.flatMap((place) => {
      const items = readAt(root, place)
      if (!Array.isArray(items)) return []
      const own = items.findIndex((one: { id?: unknown } | null) => id !== undefined && one?.id === id)
      const wanted = listItems(oracleOf(c, input)).find((one) => one?.id === id)
      const others = isFound
        ? [...items.keys()]
            .filter((at) => at !== own)
            .sort((a, b) => countAlike(items[b], wanted) - countAlike(items[a], wanted))
        : []
      return [...(own < 0 ? [] : [own]), ...others].map((at) => [...place, at])
    })
  }
  return places
}

function formatShown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatShown).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  if (members.length === 0) return '{}'
  return `{ ${members.map(([key, one]) => `${JSON.stringify(key)}: ${formatShown(one)}`).join(', ')} }`
}

type StoredItem = JsonValue & { id?: string }
const listItems = ({ state }: InputOutcome) => {
  const items = readAt(state, ['items'])
  return Array.isArray(items) ? (items as StoredItem[]) : []
}
const formatContent = (item: StoredItem) => canonicalJson({ ...(item as object), id: null })
const listLeaves = (value: unknown) =>
  listPlaces(value as JsonValue).map((place) => `${place.join('.')} ${JSON.stringify(readAt(value, place))}`)
function countAlike(item: unknown, wanted: unknown): number {
  const leaves = new Set(listLeaves(wanted))
  return listLeaves(item).filter((one) => leaves.has(one)).length
}
/** A value of the reference with the ids that its items have in the answer. */
function translateIds(
  value: JsonValue | undefined,
  ours: InputOutcome,
  theirs: InputOutcome,
): JsonValue | undefined {
  const partnerOf = (id: string) => {
    const item = listItems(ours).find((one) => one?.id === id)
    const same = item ? listItems(theirs).filter((one) => formatContent(one) === formatContent(item)) : []
    return same.some((one) => one.id === id) ? id : (same[0]?.id ?? id)
  }
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' ? partnerOf(one) : one,
  ) as JsonValue
}
/** A missing item, with an id that no item of the answer has. */
function withOwnId(item: JsonValue, c: Case, input: number, theirs: InputOutcome): JsonValue {
  const used = new Set(listItems(theirs).map((one) => one?.id))
  const { id } = item as StoredItem
  if (!used.has(id)) return item
  return {
    ...(item as object),
    id: c.oracles[input]!.world.ids.created.find((one) => !used.has(one)) ?? null,
  }
}

const oracleOf = (c: Case, input: number): InputOutcome => {
  const { result, world } = c.oracles[input]!
  return { result: result as JsonValue, state: world.state as JsonValue }
}

export const stateeval = defineExplained<Case, InputOutcome[]>({
  benchmark,
  cases: [...drawn, long],
  reference: (c) => c.oracles.map((_, input) => oracleOf(c, input)),
  candidate: async ({ case: c, policy, answer }) => {
    const observations = c.oracles.map(({ world }, input): Observation => ({
      ending: { status: 'completed', result: answer[input]?.result ?? null },
      world: { ...world, state: answer[input]?.state ?? null },
      ...{ log: [], output: '', faults: [], wallMs: 1, sandbox: 'prediction' },
    }))
    const { candidate } = await runEpisode(benchmark.episode, c, optionsOf(policy), {
      reply: oneAnswer('```javascript\nRESULT = null\n```'),
      execute: () => ({ observations, runtime: 'here' }),
    })
    return candidate
  },
  // Ids of items are the world's. Of created items that lose most of themselves, others take the place.
  isChangeable: (place, how) =>
    /^\d+\.(result|state)/.test(place) &&
    !/state\..+\.id$/.test(place) &&
    (how === 'other' || !/state\.items\.(\d\d|[4-9])(\.data)?$/.test(place)) &&
    (how !== 'left out' || place.split('.').length > 2),
  // Ids of RESULT are those of the items.
  rank: ({ where }) => (where.startsWith('state') ? 0 : 1),
  read({ case: c, answer, input }, { where }) {
    const [ours, theirs] = [oracleOf(c, input), answer[input] ?? {}]
    const texts = (root: InputOutcome, isFound: boolean) =>
      listMeant(c, input, root, where, isFound).flatMap((place) => {
        const value = readAt(root, place)
        return value === undefined ? [] : [formatShown(value)]
      })
    return { expected: texts(ours, false), found: texts(theirs, true) }
  },
  mend({ case: c, answer, input }, { where, expected, found }) {
    const [ours, theirs] = [oracleOf(c, input), answer[input] ?? {}]
    const [should] = listMeant(c, input, ours, where, false)
    const value = should && translateIds(readAt(ours, should) as JsonValue | undefined, ours, theirs)
    const meant = listMeant(c, input, theirs, where, true)
    const isNamed = (one: (string | number)[]) => {
      const there = readAt(theirs, one)
      if (found === undefined) return expected === undefined || there === undefined
      return there !== undefined && isShownAs(found, formatShown(there))
    }
    // A missing item is added at the end of its list; what differs is where it is found.
    const place =
      found === undefined && expected !== undefined && typeof should?.at(-1) === 'number'
        ? [...should.slice(0, -1), Infinity]
        : (meant.find(isNamed) ?? should)
    if (!place) return null
    const isWhole = found !== undefined && expected === undefined
    const to = place.at(-1) === Infinity ? withOwnId(value!, c, input, theirs) : value
    return answer.with(input, change(theirs as JsonValue, place, isWhole ? undefined : to) as InputOutcome)
  },
})
