/** How far a run changed its world as the reference did: items that appeared and items that vanished. */
import { canonicalJson, isRecord, type JsonValue, type WorldState } from '@stateeval/contracts'

interface GradedChanges {
  /** Changes that the reference makes, and those of them that were made. */
  expected: number
  made: number
  /** Changes that the reference does not make. */
  unexpected: number
}

/** All observed of the same input: before, after the reference, after the run. */
export function gradeChanges(before: WorldState, reference: WorldState, run: WorldState): GradedChanges {
  const [initial, wanted, found] = [before, reference, run].map(countStateParts) as [
    PartCounts,
    PartCounts,
    PartCounts,
  ]
  const sides = [
    [subtractCounts(wanted, initial), subtractCounts(found, initial)],
    [subtractCounts(initial, wanted), subtractCounts(initial, found)],
  ] as const
  const sum = (of: (wanted: PartCounts, found: PartCounts) => PartCounts) =>
    sides.reduce((total, [one, other]) => total + sumPartCounts(of(one, other)), 0)
  return {
    expected: sum((one) => one),
    made: sum((one, other) => subtractCounts(one, subtractCounts(one, other))),
    unexpected: sum((one, other) => subtractCounts(other, one)),
  }
}

type PartCounts = ReadonlyMap<string, number>

/** The parts of a state as texts, each with how often it is there. An item changed is another item. */
function countStateParts({ state, ids }: WorldState): PartCounts {
  const tokens = new Map([
    ...ids.created.map((id) => [id, '<created>'] as const),
    ...ids.initial.map((id, n) => [id, `<initial ${n}>`] as const),
  ])
  const counts = new Map<string, number>()
  for (const [key, part] of Object.entries(isRecord(state) ? state : { state }))
    for (const item of Array.isArray(part) ? part : [part]) {
      const text = canonicalJson([key, withTokens(item as JsonValue, tokens)])
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  return counts
}

function withTokens(value: JsonValue, tokens: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return tokens.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => withTokens(item, tokens))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTokens(item, tokens)]))
}

/** Counts the surplus of the first over the second. */
const subtractCounts = (one: PartCounts, other: PartCounts): PartCounts =>
  new Map(
    [...one].flatMap(([text, count]) => {
      const left = count - (other.get(text) ?? 0)
      return left > 0 ? [[text, left] as const] : []
    }),
  )
const sumPartCounts = (counts: PartCounts) => [...counts.values()].reduce((sum, count) => sum + count, 0)
