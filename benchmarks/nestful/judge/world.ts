/**
 * Fresh cases: whether calls, or a program, left the same results and the same world as the gold calls, up to
 * ids.
 */
import type { Json, Observation, Program } from '@stateeval/contracts'
import type { BenchmarkHost } from '@stateeval/program'
import { compare } from '@stateeval/score'
import type { NestfulCase, Task } from '../case.ts'
import { readWhole } from '../python/read.ts'
import type { Dict } from '../python/value.ts'
import { keysOf, referencesIn } from '../references.ts'
import type { SoundMatch } from './sound.ts'

export type Sameness = { same: true } | { same: false; says: string }

/**
 * @param result RESULT of a run that completed: that of a program, or the one that `resultOf` makes of calls.
 */
export function sameWorld(
  c: NestfulCase,
  { ending, world }: Observation,
  result: Json | { missing: string },
  host: BenchmarkHost,
): Sameness {
  const { truth, part } = c.task
  if (!truth) throw new TypeError(`${c.id} has no executable truth`)
  if (ending.status !== 'completed')
    return {
      same: false,
      says:
        'error' in ending
          ? `${ending.error.name}: ${ending.error.message}`
          : `the run ended with ${ending.status}`,
    }
  if (world === null) return { same: false, says: 'the world could not be observed' }
  const { missing } = (result ?? {}) as { missing?: string }
  if (typeof missing === 'string') return { same: false, says: missing }
  const comparison = compare(
    { result: truth.result, world: truth.state },
    { result, world },
    comparisonOf(host, part, truth.program),
  )
  return comparison.equal
    ? { same: true }
    : {
        same: false,
        says: comparison.differences
          .map(({ says }) => says)
          .join('; ')
          .slice(0, 1000),
      }
}

const comparisonOf = (host: BenchmarkHost, id: string, program: Program) => {
  const scenario = host.scenario(id)
  return scenario.compareFor?.(program) ?? scenario.compare
}

/** What the gold calls name as results, taken from the results of the calls that stand for them. */
export function resultOf(
  { calls, result }: Pick<Task, 'calls' | 'result'>,
  results: readonly Json[],
  pairs: SoundMatch['graphPairs'],
): Json | { missing: string } {
  const labels = new Map(calls.map(({ label }, at) => [label.replaceAll('$', ''), at]))
  const named: Record<string, Json> = {}
  for (const [key, text] of readWhole(result ?? '{}') as Dict) {
    const [reference] = referencesIn(String(text), (label) => labels.has(label))
    const place = pairs[labels.get(reference?.label ?? '') ?? -1]
    if (place === null || place === undefined) return { missing: `no call was made for ${String(key)}` }
    let value: Json | undefined = results[place]
    for (const step of keysOf(reference!.path)) value = memberOf(value, step)
    if (value === undefined) return { missing: `the result has no ${reference!.path}` }
    named[String(key)] = value
  }
  return named
}
function memberOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, key) ? (value as Record<string | number, Json>)[key] : undefined
}
