/**
 * Patterns whose cost is known, whatever the server's engine: those of RE2's syntax, which has no look-around
 * and no back-references.
 */
import { RE2JS } from 're2js'
import { RequestRefusal } from '../errors.ts'
import { measureBacktracking } from './backtracking.ts'

/** Limits of a pattern; together they keep its compilation to milliseconds. */
const max = { characters: 1000, repetitions: 1000 } as const

/**
 * The steps that a pattern costs for each character of a document. Throws a 400.
 *
 * @param mostBacktracking steps after which a server that goes back has given up
 */
export function measurePattern(pattern: string, options: string, mostBacktracking: number): number {
  if (!/^[ims]*$/.test(options)) throw new RequestRefusal(400, 'the options of a pattern are letters of ims')
  if (pattern.length > max.characters)
    throw new RequestRefusal(400, `a pattern may have ${max.characters} characters`)
  let repetitions = 0
  for (const [, least = '0', most] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    repetitions += Number(most || least)
  if (repetitions > max.repetitions)
    throw new RequestRefusal(400, `the repetitions of a pattern may add up to ${max.repetitions}`)
  try {
    const instructions = RE2JS.compile(pattern).programSize()
    return Math.max(instructions, Math.min(mostBacktracking, measureBacktracking(pattern)))
  } catch (error) {
    throw new RequestRefusal(400, `the pattern cannot be matched in linear time: ${(error as Error).message}`)
  }
}
