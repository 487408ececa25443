/** Wordings with {slot}s: the same template is filled for writing and matched for reading. */
import { tokenizeText, type TextToken } from './lex.ts'

export type TemplateElement = TextToken | { kind: 'slot'; text: string }
export type WordingTemplate = readonly TemplateElement[]
const compiled = new Map<string, WordingTemplate>()

/** The words and slots of a wording. */
export function compileTemplate(text: string): WordingTemplate {
  let parts = compiled.get(text)
  if (!parts) {
    parts = text.split(/(\{\w+\})/).flatMap((part): TemplateElement[] => {
      if (/^\{\w+\}$/.test(part)) return [{ kind: 'slot', text: part.slice(1, -1) }]
      const tokens = tokenizeText(part)
      if (!tokens) throw new TypeError(`a wording with an open quote: ${text}`)
      return tokens
    })
    compiled.set(text, parts)
  }
  return parts
}

/** The template with its slots filled. */
export const fillTemplate = (wording: string, slots: Readonly<Record<string, string>>) =>
  wording.replace(/\{(\w+)\}/g, (whole, slot: string) => slots[slot] ?? whole)

export const isSameElement = (element: TemplateElement, token: TextToken | undefined): boolean =>
  token !== undefined &&
  element.kind === token.kind &&
  (element.kind === 'end' || ('text' in element && 'text' in token && element.text === token.text))

/**
 * The possible fillers of each slot, if the tokens from `from` up to `to` match this template: every
 * combination.
 */
export function match<T>(
  wording: string | WordingTemplate,
  tokens: readonly TextToken[],
  from: number,
  to: number,
  read: (slot: string, from: number, to: number) => readonly T[],
): Record<string, T>[] {
  const parts = typeof wording === 'string' ? compileTemplate(wording) : wording
  const last = parts[parts.length - 1]
  if (to - from < parts.length || (last?.kind !== 'slot' && last && !isSameElement(last, tokens[to - 1])))
    return []
  const matches: Record<string, T>[] = []
  const go = (part: number, at: number, slots: Record<string, T>) => {
    const element = parts[part]
    if (!element) {
      if (at === to) matches.push(slots)
      return
    }
    if (element.kind !== 'slot') {
      if (at < to && isSameElement(element, tokens[at])) go(part + 1, at + 1, slots)
      return
    }
    const next = parts[part + 1]
    // Every element left takes at least one token.
    const latest = to - (parts.length - part - 1)
    for (let end = next ? at + 1 : to; end <= latest; end++) {
      if (end <= at || (next && next.kind !== 'slot' && !isSameElement(next, tokens[end]))) continue
      for (const value of read(element.text, at, end)) go(part + 1, end, { ...slots, [element.text]: value })
    }
  }
  go(0, from, {})
  return matches
}
