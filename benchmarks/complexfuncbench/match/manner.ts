/** Steps that the two policies do differently when they compare a mapped call with its golden one. */
import { type PythonDict, arePythonEqual } from '../python/value.ts'
import { decodeAnswer, findAnswer, readPublishedOpinion, readSoundOpinion } from '../judge/decode.ts'
import { publishedValuesEqual, type ValuesEqual, valuesEqual } from './equal.ts'

/** How answers of judges are read. */
export interface JudgeManner {
  /** The judgement in an answer, which has this member; null where none can be read. */
  read: (text: string, member: string) => PythonDict | null
  /** Reads whether a judgement calls the two equal; null where it says neither. */
  opinion: (answer: PythonDict) => boolean | null
  /** How often a judge of calls is asked until a judgement can be read. */
  attempts: number
}

export interface ComparisonManner {
  judge: JudgeManner
  /** Tells whether two values are equal: by rule, and for exact parameters. */
  valuesEqual: ValuesEqual
  /** For the error where no way of matching succeeded. */
  differenceEqual: ValuesEqual
}

/** The released code asks once, and names a filter in another order as a difference. */
export const publishedManner: ComparisonManner = {
  judge: { read: decodeAnswer, opinion: readPublishedOpinion, attempts: 1 },
  valuesEqual: publishedValuesEqual,
  differenceEqual: (_, a, b) => arePythonEqual(a, b),
}

export const soundManner: ComparisonManner = {
  judge: { read: findAnswer, opinion: readSoundOpinion, attempts: 3 },
  valuesEqual,
  differenceEqual: valuesEqual,
}
