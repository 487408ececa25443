/** The programs that are kept of a set: a seeded random sample, in the order of the set. */
import { createRng } from '@stateeval/program'

export function sample<T>(programs: readonly T[], keep: number, seed: number): T[] {
  const places = programs.map((_, index) => index)
  const chosenPlaces = new Set(createRng(`sample/${seed}`).sample(places, keep))
  return programs.filter((_, index) => chosenPlaces.has(index))
}
