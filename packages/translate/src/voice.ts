/** How the translator chooses among wordings: by seed, or only the most explicit ones. */
import type { RandomSource } from '@stateeval/program'
import type { MentionedValue } from './mention.ts'

export interface WordingVoice {
  rng: RandomSource
  /** Only wordings that nothing nearby could be taken for. */
  careful: boolean
  /** Several things are stated side by side, so equal ones are identified by their places. */
  apart?: boolean
  /** The clause follows other words of its sentence, so it had better begin with its verb. */
  follows?: boolean
  /** The calls, by their number on the path, of whose outputs this clause says that they are as returned. */
  returned?: ReadonlySet<number>
}
/** A wording, and its weight. */
export interface WordingOption {
  text: () => string
  weight: number
}

export const choose = (options: readonly WordingOption[], { rng }: WordingVoice): string =>
  rng.weighted(options, ({ weight }) => weight).text()

/**
 * Tells whether a mention suits the voice. It states that a value is as returned or edited only where that is
 * necessary.
 */
export const isSuitable = (
  { by, points }: MentionedValue,
  voice: WordingVoice,
  needed: 'returned' | 'edited' | null = null,
) =>
  needed === null
    ? by !== 'returned' && by !== 'edited' && (by === 'place' || !voice.careful) && !(points && voice.apart)
    : by === needed

/** Clauses that do not begin with their verb. */
export const noVerb = /^(?:under|among|with|use|in|locally)\b/

const stemLetters = 6
/** Tells whether a clause says its verb again as a noun: 'concatenate the concatenation'. */
function repeatsVerb(text: string): boolean {
  const [verb = '', ...others] = text.toLowerCase().match(/[a-z]+|[`"][^`"]*[`"]/g) ?? []
  const stem = verb.slice(0, stemLetters)
  return stem.length === stemLetters && others.some((word) => word.startsWith(stem))
}

/** The wordings that fit the place of the clause, and of these those that repeat no verb; else all. */
export function selectFitting<T extends { text: string }>(
  wordings: readonly T[],
  { follows }: WordingVoice,
): readonly T[] {
  const placed = wordings.filter(({ text }) => !follows || !noVerb.test(text) || text.startsWith('locally'))
  const fit = placed.length > 0 ? placed : wordings
  const plain = fit.filter(({ text }) => !repeatsVerb(text))
  return plain.length > 0 ? plain : fit
}
