/** Values for readers: short JSON with tokens for ids. */
import { cutApart, cutText } from '@stateeval/program'
import type { IdLabels } from './labels.ts'
import { isTensorValue, showTensor } from './tensors.ts'

const longest = 160

type ShownSide = 'expected' | 'found'

/** A value as cut JSON text. Never walks more of it than can be shown. */
export function show(value: unknown, side: ShownSide, labels: IdLabels): string {
  let room = longest
  const write = (now: unknown, depth: number): string => {
    if (room <= 0) return '…'
    if (typeof now === 'string') return spend(quoteShown(now, side, labels))
    if (now === null || typeof now !== 'object') return spend(String(now))
    if (isTensorValue(now)) return spend(showTensor(now.$tensor, 6, side === 'found'))
    if (depth > 6) return spend('…')
    const parts: string[] = []
    const entries: [string | null, unknown][] = Array.isArray(now)
      ? now.slice(0, longest).map((item) => [null, item])
      : sortEntries(now)
    for (const [key, item] of entries) {
      if (room <= 0) {
        parts.push('…')
        break
      }
      const name = key === null ? '' : spend(`${quoteShown(key, side, labels)}: `)
      parts.push(name + write(item, depth + 1))
    }
    return Array.isArray(now)
      ? `[${parts.join(', ')}]`
      : parts.length === 0
        ? '{}'
        : `{ ${parts.join(', ')} }`
  }
  const spend = (text: string) => {
    room -= text.length
    return text
  }
  return cutText(write(value, 0), longest)
}

/** Two values that differ: long texts are shown at their first difference. */
export function showApart(e: unknown, f: unknown, labels: IdLabels): [expected: string, found: string] {
  const [expected, found] = [show(e, 'expected', labels), show(f, 'found', labels)]
  if (expected !== found || typeof e !== 'string' || typeof f !== 'string') return [expected, found]
  return cutApart(
    JSON.stringify(labels.text('expected', e)),
    JSON.stringify(labels.text('found', f)),
    longest,
  )
}

const sortEntries = (value: object) =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) as [string, unknown][]
/** An id alone stands as its token; other strings are quoted. */
function quoteShown(text: string, side: ShownSide, labels: IdLabels): string {
  const ids = side === 'expected' ? labels.expectedIds : labels.foundIds
  if (ids.info(text)) return labels[side](text)
  return JSON.stringify(labels.text(side, text.length > 10 * longest ? text.slice(0, 10 * longest) : text))
}

/** A path as in code: `.data.title`, `[2]`, `["a b"]`. */
export const formatMember = (key: string | number) =>
  typeof key === 'number'
    ? `[${key}]`
    : /^[A-Za-z_$][\w$]*$/.test(key)
      ? `.${key}`
      : `[${JSON.stringify(key)}]`
