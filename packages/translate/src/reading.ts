/** An instruction being read: its tokens, and the parts known so far. */
import type { TranslationContext } from './context.ts'
import type { TextToken } from './text/lex.ts'

export class InstructionReading {
  readonly tokens: readonly TextToken[]
  private readonly cache = new WeakMap<TranslationContext, Map<string, unknown>>()
  constructor(tokens: readonly TextToken[]) {
    this.tokens = tokens
  }
  /** Reads a part once in each context. */
  once<T>(what: string, context: TranslationContext, from: number, to: number, read: () => T): T {
    let parts = this.cache.get(context)
    if (!parts) this.cache.set(context, (parts = new Map<string, unknown>()))
    const key = `${what}:${from}:${to}`
    if (!parts.has(key)) parts.set(key, read())
    return parts.get(key) as T
  }
  /** The one token of a part, if it is of this kind. */
  only<K extends TextToken['kind']>(
    kind: K,
    from: number,
    to: number,
  ): Extract<TextToken, { kind: K }> | null {
    const token = this.tokens[from]
    return to === from + 1 && token?.kind === kind ? (token as Extract<TextToken, { kind: K }>) : null
  }
}
