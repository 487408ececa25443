/** Combines clauses into sentences: connectives and joints, varied by seed. */
import type { RandomSource } from '@stateeval/program'
import { closing, following, opening } from './sentence.ts'
import { noVerb } from './voice.ts'

export { capitalize } from './sentence.ts'

/** The maximum words of a sentence, including quoted values. */
export const maxWords = 36
export const splitAllWords = (...texts: readonly string[]) =>
  texts.flatMap((text) => text.split(' ')).filter((word) => word !== '').length

/** The connective of a sentence, or ''; never that of the previous sentence. */
export function chooseConnective(
  place: 'opening' | 'following' | 'closing' | 'none',
  text: string,
  last: string,
  rng: RandomSource,
): string {
  if (place === 'none') return ''
  const all: readonly string[] = { opening, following, closing }[place]
  const bare = (word: string) => word.replace(',', '').toLowerCase()
  const usable = all.filter(
    (word) =>
      bare(word) !== bare(last) &&
      !(noVerb.test(text) && !word.endsWith(',')) &&
      // 'Then …, then …' is one too many.
      !(bare(word) === 'then' && /\bthen\b/.test(text)),
  )
  return rng.chance(place === 'opening' ? 0.5 : 0.65) ? rng.pick(usable) : ''
}

export const withConnective = (word: string, text: string) => (word === '' ? text : `${word} ${text}`)

/** Joins clauses into a sentence. A clause that contains an 'and' is set off with a comma. */
export function join(clauses: readonly string[], rng: RandomSource): string {
  const busy = clauses.slice(0, -1).some((clause) => /,| and /.test(clause))
  const [first = '', second = '', third] = clauses
  if (clauses.length < 2) return first
  if (third === undefined)
    return `${first}${rng.pick(busy ? [', then ', ', and then ', ', and '] : [', then ', ' and then ', ' and ', ' and '])}${second}`
  const [comma, end] = rng.pick(busy ? spaced : plain)
  return `${first}${comma}${second}${end}${third}`
}

type SentenceJoints = readonly (readonly [string, string])[]
const plain: SentenceJoints = [
  [', ', ' and then '],
  [', ', ', and then '],
  [', then ', ' and '],
]
const spaced: SentenceJoints = [
  [', ', ', and then '],
  [', then ', ', and '],
]
