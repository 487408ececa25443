/** Lays two values beside each other and says, in words, where they differ. */
import type { Difference } from '@stateeval/contracts'
import type { Labels } from './labels.ts'
import { sameNumber } from './numbers.ts'
import { member, show } from './show.ts'

export interface Walk {
  labels: Labels
  tolerance: number
  noun: string
  /** What is called how: the item that an id belongs to, for messages. */
  owner: (side: 'expected' | 'found', id: string) => string
  add: (difference: Difference) => void
  full: () => boolean
}

/** Reports the differences of two values. `where` is the path as the report has it, `says` as sentences have it. */
export function walk(e: unknown, f: unknown, where: string, says: string, w: Walk): void {
  if (w.full()) return
  const differ = (sentence?: string) => {
    const [expected, found] = [show(e, 'expected', w.labels), show(f, 'found', w.labels)]
    w.add({ where, expected, found, says: sentence ?? `${says} is ${found}, expected ${expected}` })
  }
  if (typeof e === 'string' && typeof f === 'string') {
    if (!sameText(e, f, w.labels)) differ(idSentence(e, f, says, w))
  } else if (typeof e === 'number' && typeof f === 'number') {
    if (!sameNumber(e, f, w.tolerance)) differ()
  } else if (e === null || f === null || typeof e !== 'object' || typeof f !== 'object' || Array.isArray(e) !== Array.isArray(f)) {
    if (e !== f) differ()
  } else if (Array.isArray(e)) lists(e, f as unknown[], where, says, w, differ)
  else objects(e as Fields, f as Fields, where, says, w)
}

type Fields = Record<string, unknown>

function lists(e: unknown[], f: unknown[], where: string, says: string, w: Walk, differ: (sentence: string) => void) {
  if (e.length !== f.length) {
    const noun = [...e, ...f].every((item) => isItem(item, w.labels))
      ? `${w.noun}${f.length === 1 ? '' : 's'}`
      : f.length === 1
        ? 'element'
        : 'elements'
    return differ(`${says} has ${f.length} ${noun}, expected ${e.length}`)
  }
  const ours = e.map((item) => show(item, 'expected', w.labels))
  const theirs = f.map((item) => show(item, 'found', w.labels))
  if (ours.join() !== theirs.join() && ours.toSorted().join() === theirs.toSorted().join())
    return differ(`${says} has the expected elements in another order`)
  for (const [index, item] of e.entries()) walk(item, f[index], where + member(index), says + member(index), w)
}

function objects(e: Fields, f: Fields, where: string, says: string, w: Walk) {
  // Keys may hold ids: they are laid side by side as tokens.
  const theirs = new Map(
    Object.keys(f)
      .slice(0, 5000)
      .map((key) => [w.labels.text('found', key), key]),
  )
  for (const key of Object.keys(e).toSorted()) {
    const name = w.labels.text('expected', key)
    const other = theirs.get(name)
    theirs.delete(name)
    if (other !== undefined) walk(e[key], f[other], where + member(name), says + member(name), w)
    else
      w.add({ where: where + member(name), expected: show(e[key], 'expected', w.labels), says: `${says} has no ${JSON.stringify(name)}` })
  }
  for (const [name, key] of [...theirs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    w.add({
      where: where + member(name),
      found: show(f[key], 'found', w.labels),
      says: `${says} has ${JSON.stringify(name)}, which is not expected`,
    })
  }
}

const isItem = (value: unknown, labels: Labels) => {
  const id = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : undefined
  return typeof id === 'string' && (labels.expectedIds.info(id) ?? labels.foundIds.info(id)) !== undefined
}

/** Equal up to the ids that correspond; an id met for the first time is taken to correspond if it can. */
function sameText(e: string, f: string, labels: Labels): boolean {
  const [ours, theirs] = [labels.expectedIds.split(e), labels.foundIds.split(f)]
  if (ours.length !== theirs.length) return false
  return ours.every((part, index) => {
    const other = theirs[index] as string
    if (index % 2 === 0) return part === other
    const [a, b] = [labels.expectedIds.info(part), labels.foundIds.info(other)]
    if (a?.kind !== b?.kind) return false
    if (a?.kind === 'initial') return a.index === b?.index
    return labels.pair(part, other)
  })
}

function idSentence(e: string, f: string, says: string, w: Walk): string | undefined {
  const ours = w.labels.expectedIds.info(e)
  if (!ours) return undefined
  const expected = `${w.labels.expected(e)}, the id of ${w.owner('expected', e)}`
  if (!w.labels.foundIds.info(f)) return `${says} is ${show(f, 'found', w.labels)}, which is no id of this run; expected ${expected}`
  return `${says} is ${w.labels.found(f)}, the id of ${w.owner('found', f)}; expected ${expected}`
}
