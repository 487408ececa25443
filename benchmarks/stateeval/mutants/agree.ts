/**
 * Tells whether two runs of one input agree up to ids, to recognise equivalent mutants. It shares no code
 * with the scorer and works another way: each run gets its own fingerprint, with ids named by where RESULT
 * first has them and by what their items hold; runs agree if the fingerprints are the same text.
 */
import { type Observation, type WorldState, sha256 } from '@stateeval/contracts'
import { hasSameTensors, takeOutTensors } from './tensors.ts'

type ResultPath = readonly (string | number)[]

/**
 * `bags` are keys of the world's state under which a list stands whose order says nothing; `hidden` are
 * places in RESULT whose values no two runs share.
 */
export function hasSameObservation(
  a: Observation,
  b: Observation,
  bags: readonly string[],
  hidden: readonly ResultPath[] = [],
): boolean {
  const [ours, theirs] = [a, b].map((one) => separateTensors(hideResults(one, hidden))) as [
    ReturnType<typeof separateTensors>,
    ReturnType<typeof separateTensors>,
  ]
  const [one, two] = [ours, theirs].map(({ observation }) => computeObservationPrint(observation, bags))
  return one !== null && one === two && hasSameTensors(ours.tensors, theirs.tensors)
}

function hideResults(observation: Observation, hidden: readonly ResultPath[]): Observation {
  const { ending } = observation
  if (hidden.length === 0 || ending.status !== 'completed') return observation
  const places = new Set(hidden.map((path) => JSON.stringify(path)))
  const hide = (value: unknown, path: ResultPath): unknown => {
    if (places.has(JSON.stringify(path))) return null
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map((item, at) => hide(item, [...path, at]))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, [...path, key])]))
  }
  return { ...observation, ending: { ...ending, result: hide(ending.result, []) } }
}

/** The elements of tensors are rounded, so no text of them would be the same in two runs. */
function separateTensors(observation: Observation) {
  const { ending } = observation
  if (ending.status !== 'completed') return { observation, tensors: [] }
  const { value, tensors } = takeOutTensors(ending.result)
  return { observation: { ...observation, ending: { ...ending, result: value } }, tensors }
}

/** Null where nothing is known of a run. */
function computeObservationPrint(
  { ending, world, faults }: Observation,
  bags: readonly string[],
): string | null {
  if (faults.length > 0 || ending.status === 'infrastructure') return null
  // Failed runs agree whatever they left behind: such a program is no more right than the other.
  if (ending.status !== 'completed') return ending.status
  if (world === null) return null
  return computeResultPrint(ending.result, world, bags)
}

function computeResultPrint(result: unknown, world: WorldState, bags: readonly string[]): string {
  const initial = new Map(world.ids.initial.map((id, n) => [id, `<initial ${n}>`]))
  const newIds = world.ids.created.filter((id) => !initial.has(id))
  const contents = mapContents(world)
  const pattern = buildIdAlternation([...initial.keys(), ...newIds])

  // Names by first place in RESULT; masked keys are in order first, so that an id as a key has its place too.
  const names = new Map(initial)
  const byPlace = formatCanonical(result, (text) =>
    pattern ? text.replace(pattern, (id) => initial.get(id) ?? `\u0000${id}\u0001`) : text,
  )
  for (const id of listTextsBetween(byPlace, '\\u0000', '\\u0001'))
    if (id && !names.has(id)) names.set(id, `<result ${names.size - initial.size}>`)

  // The others by content, again and again, until what they mention has told them apart as far as it can.
  let colours = new Map(newIds.filter((id) => !names.has(id)).map((id) => [id, '<new>']))
  for (let round = 0; round < 4; round++) {
    const before = colours
    const name = (text: string) =>
      pattern ? text.replace(pattern, (id) => names.get(id) ?? before.get(id) ?? id) : text
    colours = new Map(
      [...before.keys()].map((id) => [id, `<${hash(formatCanonical(contents.get(id) ?? null, name))}>`]),
    )
  }
  const final = (text: string) =>
    pattern ? text.replace(pattern, (id) => names.get(id) ?? colours.get(id) ?? id) : text
  const state = formatCanonical(world.state, final, bags)
  const mentioned = [...names]
    .filter(([id]) => !initial.has(id))
    .map(([id, name]) => `${name}=${formatCanonical(contents.get(id) ?? null, final)}`)
  return [formatCanonical(result, final), state, ...mentioned].join('\n')
}

/** Lists the texts between marks, in order. */
function* listTextsBetween(text: string, begin: string, end: string): Generator<string> {
  for (let from = text.indexOf(begin); from >= 0;) {
    const to = text.indexOf(end, from)
    if (to < 0) return
    yield text.slice(from + begin.length, to)
    from = text.indexOf(begin, to)
  }
}

/** Maps each id to its item's last content. */
function mapContents({ state, gone }: WorldState): Map<string, unknown> {
  const items = (state as { items?: { id?: unknown }[] } | null)?.items ?? []
  const live = items
    .filter(({ id }) => typeof id === 'string')
    .map((item): [string, unknown] => [item.id as string, { live: item }])
  return new Map([...live, ...gone.map(({ id, last }): [string, unknown] => [id, { gone: last }])])
}

/** JSON text with sorted keys and renamed strings; the list under a key of `bags` is sorted as well. */
function formatCanonical(
  value: unknown,
  rename: (text: string) => string,
  bags: readonly string[] = [],
): string {
  if (typeof value === 'string') return JSON.stringify(rename(value))
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toPrecision(9)
  if (value === null || typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => formatCanonical(item, rename)).join()}]`
  const entries = Object.entries(value).map(([key, item]) => {
    const bag = bags.includes(key) && Array.isArray(item)
    const text = bag
      ? item
          .map((one) => formatCanonical(one, rename))
          .sort()
          .join()
      : formatCanonical(item, rename)
    return `${JSON.stringify(rename(key))}:${text}`
  })
  return `{${entries.sort().join()}}`
}

const hash = (text: string) => sha256(text).slice(0, 24)

/** Short ids count as whole strings only, as they stand in a model's world: s1 is not in s12. */
function buildIdAlternation(ids: readonly string[]): RegExp | null {
  if (ids.length === 0) return null
  const escaped = ids
    .toSorted((a, b) => b.length - a.length)
    .map((id) => {
      const text = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return id.length < 8 ? `^${text}$` : text
    })
  return new RegExp(escaped.join('|'), 'g')
}
