/**
 * Random subsets of functions (paper, section 2.1.1): some that answer something, and those whose answers
 * they need.
 */
import type { RandomSource } from '@stateeval/program'
import { findFunction } from '../../travel/functions.ts'
import { isLookedUp } from '../disambiguate.ts'

/**
 * Functions whose answers a function takes ids or tokens from, as its parameters are documented: the first
 * that is named.
 */
function listSourceFunctions(name: string, among: readonly string[]): string[] {
  return findFunction(name)!.parameters.flatMap(({ about, required }) => {
    const named = about.split(/[^A-Za-z_()]/)
    const first = named.find((word) => among.includes(word) && word !== name)
    return first !== undefined && (required || isLookedUp(first)) ? [first] : []
  })
}

/** With all that their ids come from. */
function closeOverSources(names: readonly string[], among: readonly string[]): string[] {
  const all = new Set(names)
  for (const name of all) for (const source of listSourceFunctions(name, among)) all.add(source)
  return [...all]
}

/** In the order of the world's list. */
export function drawSubset(among: readonly string[], rng: RandomSource): string[] {
  const candidates = among.filter((name) => !isLookedUp(name))
  const subset = closeOverSources(
    rng.sample(candidates.length > 0 ? candidates : among, rng.int(2, 3)),
    among,
  )
  return among.filter((name) => subset.includes(name))
}
