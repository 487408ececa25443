/** A model's generalisation of a sample (paper, section 2.1.3): the same calls, with other values. */
import { replaced } from '../generalise.ts'
import { countReplaceable, type LearnedSample } from '../learning/learn-template.ts'
import { type CreatedSample, readValuePath, type SampleTurn } from '../sample.ts'

type GoldenTurns = readonly Pick<SampleTurn, 'calls'>[]

export const listCalledNames = (turns: GoldenTurns): string[] =>
  turns.flatMap(({ calls }) => calls.map(({ name }) => name)).sort()

/** Why a sample is no generalisation of another one; null: it is one. */
export function findUnlikeness(
  { turns, derivations }: Pick<CreatedSample, 'turns' | 'derivations'>,
  like: LearnedSample,
): string | null {
  const [names, others] = [listCalledNames(turns), listCalledNames(like.turns)]
  if (names.join() !== others.join())
    return `it needs the calls ${names.join(', ')}; the original needs ${others.join(', ')}`
  const own = new Set(listTexts(like.turns.flatMap(({ calls }) => calls.map((call) => call.arguments))))
  const said = derivations.filter(({ from }) => from.in === 'query')
  const fresh = new Set(
    said
      .map(({ turn, call, argument }) => String(readValuePath(turns[turn]!.calls[call]!.arguments, argument)))
      .filter((value) => !own.has(value)),
  )
  const least = Math.min(replaced.least, countReplaceable(like))
  return fresh.size >= least
    ? null
    : `only ${fresh.size} values of its arguments are new; replace at least ${least}`
}

function listTexts(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(listTexts)
    : [String(value)]
}
