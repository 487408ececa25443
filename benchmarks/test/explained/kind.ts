/** What the law of explanations asks of a kind. */
import type { BenchmarkCase, Candidate, JsonValue, ValueDifference } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'

/** An answer to a case under a policy, in which anything may be changed: calls, or what a run showed. */
export interface ExplainedAnswer<C = BenchmarkCase, A = JsonValue> {
  case: C
  policy: string
  answer: A
  /** The input that the score names. */
  input: number
}

/** Texts of the values at a named place; several where the place may be of several items. */
interface NamedValues {
  expected?: readonly string[]
  found?: readonly string[]
}

export interface ExplainedKind<C extends BenchmarkCase = BenchmarkCase, A = JsonValue> {
  benchmark: Benchmark<C>
  cases: readonly C[]
  /** The answer of the reference; null where there is none under the policy. */
  reference: (c: C, policy: string) => Promise<A | null> | A | null
  candidate: (told: Omit<ExplainedAnswer<C, A>, 'input'>) => Promise<Candidate>
  /** Tells whether a place of an answer may be changed in this way. */
  isChangeable: (place: string, how: string) => boolean
  /** Changes besides those of any value. */
  changes?: Record<string, (value: JsonValue) => JsonValue>
  /** Reads what a difference names; null where it names no value. */
  read: (told: ExplainedAnswer<C, A>, difference: ValueDifference) => NamedValues | null
  /** Differences of a lower rank are mended first: others are gone only with them. */
  rank?: (difference: ValueDifference) => number
  /** The answer with the expected fact in place of the named one; null where no change of it could. */
  mend: (told: ExplainedAnswer<C, A>, difference: ValueDifference, reference: A) => A | null
}

/** A kind in the list of all; its cases and answers are its own. */
export const defineExplained = <C extends BenchmarkCase, A>(kind: ExplainedKind<C, A>) =>
  kind as unknown as ExplainedKind

/** Tells whether a text may be shown as that: cut, and with tokens in place of ids. */
export function isShownAs(shown: string, text: string): boolean {
  const parts = shown.split(/( ?…|<(?:other )?id \d+ \(\w+\)>)/)
  const pattern = parts.map((part, at) =>
    at % 2 === 0
      ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      : part.endsWith('…')
        ? '.*'
        : '"?[^",\\]} ]*"?',
  )
  return new RegExp(`^${pattern.join('')}$`, 's').test(text)
}
