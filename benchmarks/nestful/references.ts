/**
 * References to results of other calls, in all spellings of the published data and of the paper: `$var1$`,
 * `$var1.x$`, `$var1.location.name$`, `$var1.Exchange Rate$`, `$var1.author[0].id$`, `${Find.name}`; alone,
 * in lists and objects, or within a text.
 */
import { splitReferencePath } from '@stateeval/program'
import { type PyDict, isDict, type PyValue } from './python/value.ts'

export interface LabelReference {
  label: string
  /** The path behind the label: `location.name`, `author[0].id`; empty for the whole result. */
  path: string
  start: number
  end: number
}

/** The pseudo call at the end of version 1, which names the results; it is no API. */
export const isResultName = (name: unknown): boolean => name === 'var_result' || name === 'varResult'

export const stripDollars = (label: string) => label.replaceAll('$', '')

/** Labels as the data and prompts have them; other words between dollar signs may be anything. */
const labelLike = /^var_?\d+$/
const closed = /[$#]\{?([\p{L}\p{N}_-]+)\}?((?:\.|\[)[^$}]*)?[$}]/gu
const open = /^\$(var_?\d+)((?:\.|\[)[^$]*)?$/
/** Names of functions have dots, too, but no more. */
const maxDots = 8

/**
 * References within a text, in order. A word that `isLabel` refuses and that does not look like a label
 * is no reference: prices such as `$100-$200` stay texts.
 */
export function listTextReferences(text: string, isLabel?: (label: string) => boolean): LabelReference[] {
  if (!text.includes('$')) return []
  const unclosed = open.exec(text)
  if (unclosed) return [createReference(unclosed[1]!, unclosed[2], 0, text.length)]
  const references: LabelReference[] = []
  // Behind the last closing mark there is no reference, and each try to find one would read all of it.
  const end = Math.max(text.lastIndexOf('$'), text.lastIndexOf('}')) + 1
  const readable = text.slice(0, end)
  for (let at = 0; ;) {
    closed.lastIndex = at
    const match = closed.exec(readable)
    if (!match) return references
    const [all, word, rest = ''] = match
    const behind = match.index + all.length
    const label = findLabel(word!, rest, isLabel)
    if (label !== null)
      references.push(createReference(label, (word! + rest).slice(label.length), match.index, behind))
    // A `$` that closes no reference may open one.
    at = label === null && all.endsWith('$') ? behind - 1 : behind
  }
}

/** The label at the beginning of a reference: its first word, or more where a known one has dots. */
function findLabel(word: string, rest: string, isLabel?: (label: string) => boolean): string | null {
  if (labelLike.test(word) || isLabel?.(word)) return word
  if (!isLabel || !rest.startsWith('.')) return null
  const whole = word + rest
  for (let dots = 0, end = word.length; dots < maxDots && end < whole.length; dots++) {
    const next = /[.[]/.exec(whole.slice(end + 1, end + 300))
    end = next ? end + 1 + next.index : whole.length
    const label = whole.slice(0, end)
    if (isLabel(label)) return label
  }
  return null
}

const createReference = (label: string, rest = '', start: number, end: number): LabelReference => ({
  label,
  path: normalizePath(rest.replace(/^\.\{/, '.')),
  start,
  end,
})

/** Subscripts of names are read as `.name`. A dot with nothing behind it is no path to the whole result. */
function normalizePath(rest: string): string {
  const path = rest.replaceAll(/\[(?:"([^"\]]*)"|'([^'\]]*)'|([A-Za-z_][\w -]*))\]/g, '.$1$2$3')
  return path.startsWith('.') && path !== '.' ? path.slice(1) : path
}

/** All references of a call's arguments, with the argument that each stands in. */
export function listArgumentReferences(
  args: PyDict,
  isLabel?: (label: string) => boolean,
): { argument: string; text: string; reference: LabelReference }[] {
  const references: { argument: string; text: string; reference: LabelReference }[] = []
  const walk = (value: PyValue, argument: string) => {
    if (typeof value === 'string')
      for (const reference of listTextReferences(value, isLabel))
        references.push({ argument, text: value, reference })
    else if (Array.isArray(value)) for (const item of value) walk(item, argument)
    else if (isDict(value)) for (const item of value.values()) walk(item, argument)
  }
  for (const [name, value] of args) walk(value, String(name))
  return references
}

/** The part of a result that the path leads to; undefined where there is none. */
export function readReferencePart(value: PyValue, path: string): PyValue | undefined {
  // An output may have a dot in its name.
  if (isDict(value) && path !== '' && value.has(path)) return value.get(path)
  let part: PyValue | undefined = value
  for (const key of splitReferencePath(path)) {
    if (typeof key === 'number') part = Array.isArray(part) ? part[key] : undefined
    else part = isDict(part) ? part.get(key) : undefined
    if (part === undefined) return undefined
  }
  return part
}
