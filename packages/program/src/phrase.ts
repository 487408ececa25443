/**
 * How an API is said: a two-way pattern. The same form speaks a call and reads it back, so an instruction can be
 * parsed into the calls that it was made from.
 */
import type { Json } from '@stateeval/contracts'
import type { Path } from './expr.ts'

/** What an argument is made of: a part of what fills the slot, or a constant that the wording implies. */
export type ArgPattern = { slot: string; path?: Path } | { constant: Json }

/**
 * One way to put a call. `says` are wordings with {slot}s, imperative, without capital or full stop:
 * 'add {item} as a new session'. A form fits a call if its arguments unify with `args`: each slot stands for one
 * reference or literal, and every argument that names the slot is that value or the part of it at `path`.
 */
export interface PhraseForm {
  says: readonly string[]
  args: Readonly<Record<string, ArgPattern>>
  /** What fills each slot. */
  slots: Readonly<Record<string, 'reference' | 'literal'>>
}

export interface Phrase {
  forms: readonly PhraseForm[]
  /** How the output is spoken of later: 'the sessions listed', one of them 'session'; absent where there is none. */
  output?: { whole: string; item?: string; parts?: Readonly<Record<string, string>> }
}
