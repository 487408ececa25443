/** Paths inside a value as text in backticks: `filters.minAge`, `members[0]`. */
import type { ValuePath } from '@stateeval/program'

const key = /^[A-Za-z_][A-Za-z0-9_-]*/
const index = /^\[(0|[1-9]\d{0,8})\]/

/** A key that needs no quotes in a sentence, where case is irrelevant. */
export const isPlain = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z]{2,30}$/.test(text) && !['true', 'false', 'null'].includes(text)
export const isName = (text: unknown): text is string =>
  typeof text === 'string' && key.exec(text)?.[0] === text

/** The text of a path, or null if a key has no such text. */
export function formatPathText(path: ValuePath): string | null {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (isName(part)) text += text === '' ? part : `.${part}`
    else return null
  }
  return text === '' ? null : text
}

/** The path that a text denotes, or null. */
export function parsePathText(text: string): (string | number)[] | null {
  const path: (string | number)[] = []
  let rest = text
  while (rest !== '') {
    const place = index.exec(rest)
    if (place) {
      path.push(Number(place[1]))
      rest = rest.slice(place[0].length)
      continue
    }
    if (path.length > 0) {
      if (!rest.startsWith('.')) return null
      rest = rest.slice(1)
    }
    const name = key.exec(rest)
    if (!name) return null
    path.push(name[0])
    rest = rest.slice(name[0].length)
  }
  return path.length === 0 ? null : path
}
