/**
 * Tells whether two runs of one input agree up to ids, to recognise equivalent mutants. It shares no code
 * with the comparisons of the policies and works another way: each run becomes one text, in which an id
 * stands for the contents of its session; elements of tensors alone are compared as numbers.
 */
import type { Observation } from '@stateeval/contracts'
import { readTensorElements } from '../compare/tensor.ts'
import { readReportedEnd, type ReportedValue } from '../run/report.ts'

/** Stands for the sandbox in a truth, which knows no ids of this run. */
export const truthMark = 'truth'

/**
 * The root mean square of the difference of tensors, as a share of that of a tensor: far above rounding, far
 * below any mistake.
 */
const share = 1e-3

interface ObservationPrint {
  text: string
  numbers: ArrayLike<number>[]
}

export function isAgreeingObservation(a: Observation, b: Observation): boolean {
  const withIds = a.sandbox !== truthMark && b.sandbox !== truthMark
  const [one, two] = [print(a, withIds), print(b, withIds)]
  return (
    one !== null &&
    two !== null &&
    one.text === two.text &&
    one.numbers.every((numbers, at) => isAlikeNumbers(numbers, two.numbers[at]!))
  )
}

/** Null where nothing is known of a run. */
function print(observation: Observation, withIds: boolean): ObservationPrint | null {
  const ended = readReportedEnd(observation)
  if ('fault' in ended) return null
  // Failed runs agree whatever they left behind: such a program is no more right than the other.
  if (ended.status !== 'completed' && ended.status !== 'exit') return { text: ended.status, numbers: [] }
  const numbers: ArrayLike<number>[] = []
  const contents = withIds ? mapSessionContents(observation) : null
  const text = (value: ReportedValue | undefined) => spellContent(value, contents)
  const { items = [] } = (observation.world?.state ?? {}) as {
    items?: { source: string; type: string; data: unknown }[]
  }
  const parts = [
    ended.status,
    // A null RESULT and a missing one are the same in a truth.
    takeNumbers(ended.result, numbers) ?? text(ended.result ?? undefined),
    ...ended.calls.map((call) => call.map(text).join(' ')).sort(),
    ...items.map(({ source, type, data }) => `${source} ${type} ${serializeCanonical(data)}`).sort(),
  ]
  return { text: parts.join('\n'), numbers }
}

/**
 * A number, or a tensor, by its form: the elements are compared apart. A truth has a number for a tensor of
 * one element.
 */
function takeNumbers(value: ReportedValue | undefined, numbers: ArrayLike<number>[]): string | null {
  if (typeof value === 'number') {
    numbers.push([value])
    return 'a number'
  }
  if (value === null || typeof value !== 'object' || !('tensor' in value)) return null
  const elements = readTensorElements(value.tensor)
  if (!elements) return 'a tensor'
  numbers.push(elements.values)
  return elements.values.length === 1 ? 'a number' : `${elements.dtype}[${elements.shape.join()}]`
}

/** The contents of each session by its id, also of those that are gone. */
function mapSessionContents({ world }: Observation): Map<string, string> {
  const { items = [] } = (world?.state ?? {}) as { items?: { id?: string }[] }
  const live = items.map(({ id = '', ...rest }): [string, string] => [id, serializeCanonical(rest)])
  return new Map([
    ...live,
    ...(world?.gone ?? []).map(({ id, last }): [string, string] => [id, serializeCanonical(last)]),
  ])
}

/** Keys in order: a truth has lost that of its dicts. */
function spellContent(value: ReportedValue | undefined, contents: Map<string, string> | null): string {
  const inner = (one: ReportedValue | undefined) => spellContent(one, contents)
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(contents?.get(value) ?? value)
  if (typeof value === 'number') return value.toPrecision(9)
  if (value === null || typeof value !== 'object') return String(value)
  const record = (entries: [string, ReportedValue][]) =>
    `{${entries
      .map(([key, item]) => `${key}:${inner(item)}`)
      .sort()
      .join()}}`
  if ('dict' in value)
    return record(
      value.dict
        .filter(([key]) => contents !== null || (key !== 'id' && key !== 'checksum'))
        .map(([key, item]) => [inner(key), item]),
    )
  if ('speech' in value) return `speech ${record(Object.entries(value.speech))}`
  if ('list' in value) return `[${value.list.map(inner).join()}]`
  if ('tuple' in value) return `[${value.tuple.map(inner).join()}]`
  return serializeCanonical(value)
}

function serializeCanonical(value: unknown): string {
  if (typeof value === 'number') return value.toPrecision(9)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'nothing'
  if (Array.isArray(value)) return `[${value.map(serializeCanonical).join()}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${serializeCanonical(item)}`)
    .sort()
    .join()}}`
}

function isAlikeNumbers(ours: ArrayLike<number>, theirs: ArrayLike<number>): boolean {
  let [apart, size] = [0, 0]
  for (let at = 0; at < ours.length; at++) {
    const [one, two] = [ours[at]!, theirs[at]!]
    if (!Number.isFinite(one) || !Number.isFinite(two)) {
      if (!Object.is(one, two)) return false
      continue
    }
    apart += (one - two) ** 2
    size += one ** 2
  }
  return ours.length === theirs.length && apart <= share ** 2 * size
}
