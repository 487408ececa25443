/**
 * Generalisation (paper, section 2.1.3 and appendix A.4): from one template sample many samples that share
 * its path and differ in the values. Six to ten values are replaced; criteria of filters and orders never
 * are.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { disambiguateSample } from './disambiguate.ts'
import type { CreatedSample } from './sample.ts'
import type { SampleTemplate } from './template.ts'
import { getDependency, drawValue, orderSlots, type SlotValues } from './values.ts'
import { NoPath, walkTemplate } from './walk.ts'

/** How many values are replaced: the paper's numbers. A query that has fewer gets all of them anew. */
export const replaced = { least: 6, most: 10 } as const
/** Draws until a sample passes: a day may be sold out, two hotels may have the same score. */
const maxDraws = 60

export interface GeneralisedSample {
  /** The values of the slots. */
  values: SlotValues
  sample: CreatedSample
  /** The slots whose values are new. */
  replaced: readonly string[]
  /** Draws that gave no sample, with the reasons. */
  rejected: readonly string[]
}

/** The id of a sample, and the seed and the length of tokens of the world that it is about. */
interface SampleWorld {
  id: string
  seed: string
  tokenLength?: number | undefined
}

export function generaliseTemplate(
  template: SampleTemplate,
  { rng, ...world }: SampleWorld & { rng: RandomSource },
): GeneralisedSample | { rejected: readonly string[] } {
  const rejected: string[] = []
  for (let draw = 0; draw < maxDraws; draw++) {
    const fresh = drawNewValues(template, world.seed, rng.fork(draw))
    if (!fresh) {
      rejected.push('there are no values for its slots')
      continue
    }
    const outcome = createSample(template, { ...world, values: fresh.values })
    if ('sample' in outcome)
      return { sample: outcome.sample, values: fresh.values, replaced: fresh.names, rejected }
    rejected.push(outcome.fault)
  }
  return { rejected }
}

/** The sample with these values, disambiguated; or why there is none. */
export const createSample = (
  template: SampleTemplate,
  { id, seed, tokenLength, values }: SampleWorld & { values: SlotValues },
): { sample: CreatedSample } | { fault: string } =>
  disambiguateSample((hidden) => {
    try {
      return walkTemplate(template, id, values, {
        seed,
        hidden,
        ...(tokenLength !== undefined && { tokenLength }),
      })
    } catch (error) {
      if (error instanceof NoPath) return { fault: error.message }
      throw error
    }
  })

/** Six to ten slots get values that they did not have; slots that depend on a replaced one follow it. */
function drawNewValues(
  template: SampleTemplate,
  seed: string,
  rng: RandomSource,
): { values: SlotValues; names: string[] } | null {
  const order = orderSlots(template)
  const most = Math.min(replaced.most, order.length)
  const isSaid = (name: string) => template.query.includes(`{${name}}`)
  const least = Math.min(replaced.least, order.filter(isSaid).length)
  const replacedNames = new Set(rng.fork('which').sample(order, rng.int(least, most)))
  const values: Record<string, JsonValue> = {}
  // Values that stay are taken first, so that a new city is none of the others.
  const stays = (name: string): boolean => {
    const before = getDependency(template, name)
    return !replacedNames.has(name) && (before === undefined || stays(before))
  }
  for (const name of order) if (stays(name)) values[name] = template.values[name]!
  for (const name of order) {
    if (name in values) continue
    const value = drawDifferent(template, name, { values, seed, rng: rng.fork(name) })
    if (value === null) return null
    values[name] = value
  }
  const names = order.filter((name) => isSaid(name) && values[name] !== template.values[name])
  return names.length >= least && names.length <= replaced.most ? { values, names } : null
}

/** Another value than the template has. */
function drawDifferent(
  template: SampleTemplate,
  name: string,
  { values, seed, rng }: { values: SlotValues; seed: string; rng: RandomSource },
): JsonValue | null {
  for (let draw = 0; draw < 8; draw++) {
    const value = drawValue(template.slots[name]!, { values, seed, rng: rng.fork(draw) })
    if (value !== null && value !== template.values[name]) return value
  }
  return null
}
