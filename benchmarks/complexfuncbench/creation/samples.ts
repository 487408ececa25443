/** Many samples by seed: the templates in turn, each generalised in a world of its own. */
import { createRng } from '@stateeval/program'
import { generalise, type Generalised } from './generalise.ts'
import type { Template } from './template.ts'
import { templates } from './templates/index.ts'

export interface Made extends Generalised {
  template: Template
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
  }: { seed: string | number; numbers: Map<string, number>; chosen?: readonly Template[] },
): Made {
  const template = chosen[at % chosen.length]!
  const number = (numbers.get(template.domain) ?? 0) + 1
  numbers.set(template.domain, number)
  const id = `${template.domain}-${number}`
  const rng = createRng(`${seed}/generalise/${id}`)
  const one = generalise(template, { id, seed: `${seed}-${id}`, rng })
  if (!('sample' in one)) throw new Error(`${template.id} gives no sample: ${one.rejected.at(-1)}`)
  return { ...one, template }
}

export function makeSamples({ samples, seed }: { samples: number; seed: string | number }): Made[] {
  const numbers = new Map<string, number>()
  return Array.from({ length: samples }, (_, at) => makeSample(at, { seed, numbers }))
}
