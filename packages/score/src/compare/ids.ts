/** Which strings of a run are ids: only those that its world issued. A forged one is an ordinary string. */
import type { WorldState } from '@stateeval/contracts'
import { isShort, getMaxComparedCharacters, passBound } from './work-bound.ts'

/** Text between ids, and the ids, in turn: parts 0, 2, 4 … are text, parts 1, 3, 5 … are ids. */
type TextParts = readonly string[]

type IdInfo =
  | { kind: 'initial'; index: number }
  | { kind: 'created'; index: number; isGone: boolean; last: unknown }

/** Shorter ids would occur in ordinary text by chance: they count only where they are the whole string. */
const shortestInsideText = 8

export class IdTable {
  private readonly infos = new Map<string, IdInfo>()
  /** Lengths of ids inside of texts, the longest first, by what those ids begin with. */
  private readonly lengths = new Map<string, number[]>()
  private readonly heads = new Set<number>()
  private readonly isStrict: boolean
  private left = getMaxComparedCharacters()
  readonly longest: number

  /**
   * @param isStrict whether too much work throws; else later texts have no ids in them, which
   *   is enough to show them
   */
  constructor({ ids, gone }: Pick<WorldState, 'ids' | 'gone'>, { isStrict = false } = {}) {
    this.isStrict = isStrict
    const last = new Map(gone.map((item) => [item.id, item.last]))
    for (const [index, id] of ids.initial.entries())
      if (id !== '') this.infos.set(id, { kind: 'initial', index })
    for (const [index, id] of ids.created.entries()) {
      if (id !== '' && !this.infos.has(id))
        this.infos.set(id, { kind: 'created', index, isGone: last.has(id), last: last.get(id) })
    }
    const lengths = new Map<string, Set<number>>()
    let longest = 0
    for (const id of this.infos.keys()) {
      longest = Math.max(longest, id.length)
      if (id.length < shortestInsideText) continue
      const beginning = id.slice(0, shortestInsideText)
      lengths.set(beginning, (lengths.get(beginning) ?? new Set()).add(id.length))
      this.heads.add(id.charCodeAt(0))
    }
    this.longest = longest
    for (const [beginning, some] of lengths)
      this.lengths.set(
        beginning,
        [...some].sort((a, b) => b - a),
      )
  }

  info(id: string): IdInfo | undefined {
    return this.infos.get(id)
  }

  /** Tells whether a text is an id, or contains one. */
  within(text: string): boolean {
    return this.split(text).length > 1
  }

  /** Cuts a text into ordinary text and ids, from the left, the longest id first. */
  split(text: string): TextParts {
    if (this.infos.has(text)) return ['', text, '']
    if (this.lengths.size === 0) return [text]
    const parts: string[] = []
    let from = 0
    let at = 0
    while (at < text.length) {
      const id = this.heads.has(text.charCodeAt(at)) ? this.idAt(text, at) : undefined
      if (id === undefined) {
        at++
        continue
      }
      parts.push(text.slice(from, at), id)
      at += id.length
      from = at
    }
    parts.push(text.slice(from))
    return parts
  }

  private idAt(text: string, at: number): string | undefined {
    const lengths = this.lengths.get(text.slice(at, at + shortestInsideText))
    if (!lengths) return undefined
    for (const length of lengths) {
      if (this.left < 0) break
      const piece = text.slice(at, at + length)
      this.left -= piece.length
      if (piece.length === length && this.infos.has(piece)) return piece
    }
    if (this.left < 0 && (this.isStrict || isShort())) passBound()
    return undefined
  }
}
