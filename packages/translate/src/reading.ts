/** An instruction being read: its tokens, and the parts known so far. */
import type { Context } from './context.ts'
import type { Token } from './text/lex.ts'

export class InstructionReading {
  readonly tokens: readonly Token[]
  private readonly cache = new WeakMap<Context, Map<string, unknown>>()
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }
  /** Reads a part once in each context. */
  once<T>(what: string, context: Context, from: number, to: number, read: () => T): T {
    let parts = this.cache.get(context)
    if (!parts) this.cache.set(context, (parts = new Map<string, unknown>()))
    const key = `${what}:${from}:${to}`
    if (!parts.has(key)) parts.set(key, read())
    return parts.get(key) as T
  }
  /** The one token of a part, if it is of this kind. */
  only<K extends Token['kind']>(kind: K, from: number, to: number): Extract<Token, { kind: K }> | null {
    const token = this.tokens[from]
    return to === from + 1 && token?.kind === kind ? (token as Extract<Token, { kind: K }>) : null
  }
}
