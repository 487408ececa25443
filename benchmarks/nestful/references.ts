/**
 * References to results of other calls, in all spellings of the published data and of the paper: `$var1$`,
 * `$var1.x$`, `$var1.location.name$`, `$var1.Exchange Rate$`, `$var1.author[0].id$`, `${Find.name}`; alone,
 * in lists and objects, or within a text.
 */
import { type Dict, isDict, type Py } from './python/value.ts'

export interface Reference {
  label: string
  /** What follows the label: `location.name`, `author[0].id`; empty for the whole result. */
  path: string
  start: number
  end: number
}

/** The pseudo call at the end of version 1, which names the results; it is no API. */
export const isResultName = (name: unknown): boolean => name === 'var_result' || name === 'varResult'

export const withoutDollars = (label: string) => label.replaceAll('$', '')

/** Labels as the data and prompts have them; other words between dollar signs may be anything. */
const labelLike = /^var_?\d+$/
const closed = /[$#]\{?([A-Za-z_]\w*)\}?((?:\.|\[)[^$}]*)?[$}]/g
const open = /^\$(var_?\d+)((?:\.|\[)[^$]*)?$/

/**
 * References within a text, in order. A word that `isLabel` refuses and that does not look like a label
 * is no reference: prices such as `$100-$200` stay texts.
 */
export function referencesIn(text: string, isLabel?: (label: string) => boolean): Reference[] {
  if (!text.includes('$')) return []
  const unclosed = open.exec(text)
  if (unclosed) return [referenceOf(unclosed[1]!, unclosed[2], 0, text.length)]
  const references: Reference[] = []
  // Behind the last closing mark there is no reference, and each try to find one would read all of it.
  const end = Math.max(text.lastIndexOf('$'), text.lastIndexOf('}')) + 1
  for (const match of text.slice(0, end).matchAll(closed)) {
    const [all, label, path] = match
    if (!labelLike.test(label!) && !isLabel?.(label!)) continue
    references.push(referenceOf(label!, path, match.index, match.index + all.length))
  }
  return references
}
const referenceOf = (label: string, path = '', start: number, end: number): Reference => ({
  label,
  path: (path.startsWith('.') ? path.slice(1) : path).replace(/^\{|\}$/g, ''),
  start,
  end,
})

/** All references of a call's arguments, with the argument that each stands in. */
export function referencesOf(
  args: Dict,
  isLabel?: (label: string) => boolean,
): { argument: string; text: string; reference: Reference }[] {
  const references: { argument: string; text: string; reference: Reference }[] = []
  const walk = (value: Py, argument: string) => {
    if (typeof value === 'string')
      for (const reference of referencesIn(value, isLabel))
        references.push({ argument, text: value, reference })
    else if (Array.isArray(value)) for (const item of value) walk(item, argument)
    else if (isDict(value)) for (const item of value.values()) walk(item, argument)
  }
  for (const [name, value] of args) walk(value, String(name))
  return references
}

/** `location.name`, `author[0].id`, `Exchange Rate` as keys; a number in brackets is an index. */
export function keysOf(path: string): (string | number)[] {
  if (path === '') return []
  return path.split('.').flatMap((part) => {
    const [name = '', ...indices] = part.split('[')
    return [...(name === '' ? [] : [name]), ...indices.map((index) => Number.parseInt(index, 10))]
  })
}

/** The part of a result that the path leads to; undefined where there is none. */
export function partOf(value: Py, path: string): Py | undefined {
  let part: Py | undefined = value
  for (const key of keysOf(path)) {
    if (typeof key === 'number') part = Array.isArray(part) ? part[key] : undefined
    else part = isDict(part) ? part.get(key) : undefined
    if (part === undefined) return undefined
  }
  return part
}
