/**
 * A judgement as a line: the verdict, then what is not right, by location; a complete account of the
 * counters.
 */
import type { Score } from '@stateeval/contracts'
import { locations } from '../specification/types.ts'
import { isNonexecutable } from '../judge/count.ts'

type Judgement = NonNullable<Score['policies']>[string]

/**
 * Such as `illegal url/wrong missing/params illegal/headers:2`. Of what has no request, the verdict alone.
 */
function summary({ verdict, metrics, passed }: Judgement): string {
  const at = (key: string) => metrics[key] ?? 0
  const same = (...values: unknown[]) => {
    // Plain comparisons: there are a hundred thousand of them.
    if (values.some((value) => value !== values[0]))
      throw new Error(`the counters contradict each other: ${JSON.stringify({ verdict, metrics })}`)
  }
  same(passed, verdict === 'correct')
  for (const place of ['all', ...locations]) {
    same(at(`expected/${place}`), at(`correct_name/${place}`) + at(`missing/${place}`))
    same(at(`unexpected/${place}`), at(`unnecessary/${place}`) + at(`illegal/${place}`))
    same(at(`all/${place}`), at(`expected/${place}`) + at(`unexpected/${place}`))
  }
  if (isNonexecutable(verdict)) {
    same(at('expected/all'), at('missing/all'), at('all/all'))
    return verdict
  }
  const parts: string[] = []
  for (const place of ['url', 'method'])
    for (const word of ['wrong', 'illegal']) if (at(`${place}/${word}`)) parts.push(`${place}/${word}`)
  const add = (word: string, location: string, n: number) =>
    n > 0 && parts.push(`${word}/${location}${n > 1 ? `:${n}` : ''}`)
  for (const location of locations) {
    add('incorrect', location, at(`correct_name/${location}`) - at(`correct_value/${location}`))
    for (const word of ['missing', 'unnecessary', 'illegal']) add(word, location, at(`${word}/${location}`))
  }
  return [verdict, ...parts].join(' ')
}
export const summaries = ({ policies }: Score) =>
  Object.fromEntries(Object.entries(policies ?? {}).map(([policy, one]) => [policy, summary(one)]))
