/** Many samples by seed: the templates in turn, each generalised in its own world. */
import { createRng } from '@stateeval/program'
import { generaliseTemplate, type GeneralisedSample } from './generalise.ts'
import type { SampleTemplate } from './template.ts'
import { templates } from './templates/index.ts'

export interface MadeSample extends GeneralisedSample {
  template: SampleTemplate
}

/**
 * The sample at this place of a set.
 *
 * @param numbers how many samples each domain has already; counts on
 * @param chosen the templates in turn
 * @throws Error where its template gives no sample, which would be a fault of the template
 */
export function makeSample(
  at: number,
  {
    seed,
    numbers,
    chosen = templates,
    tokenLength,
  }: {
    seed: string | number
    numbers: Map<string, number>
    chosen?: readonly SampleTemplate[]
    tokenLength?: number | undefined
  },
): MadeSample {
  const template = chosen[at % chosen.length]!
  const number = (numbers.get(template.domain) ?? 0) + 1
  numbers.set(template.domain, number)
  const id = `${template.domain}-${number}`
  const rng = createRng(`${seed}/generalise/${id}`)
  const one = generaliseTemplate(template, { id, seed: `${seed}-${id}`, rng, tokenLength })
  if (!('sample' in one)) throw new Error(`${template.id} gives no sample: ${one.rejected.at(-1)}`)
  return { ...one, template }
}

export function makeSamples({ samples, seed }: { samples: number; seed: string | number }): MadeSample[] {
  const numbers = new Map<string, number>()
  return Array.from({ length: samples }, (_, at) => makeSample(at, { seed, numbers }))
}
