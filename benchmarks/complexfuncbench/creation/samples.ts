/** Many samples by seed: the templates in turn, each generalised in a world of its own. */
import { createRng } from '@stateeval/program'
import { generalise, type Generalised } from './generalise.ts'
import type { Template } from './template.ts'
import { templates } from './templates/index.ts'

export interface Made extends Generalised {
  template: Template
}
export interface MadeSamples {
  made: readonly Made[]
  /** Draws that gave no sample, by reason, the argument's place left out. */
  rejected: ReadonlyMap<string, number>
}

/** @throws Error where a template gives no sample, which would be a fault of the template */
export function makeSamples({ samples, seed }: { samples: number; seed: string | number }): MadeSamples {
  const rejected = new Map<string, number>()
  const numbers = new Map<string, number>()
  const made = Array.from({ length: samples }, (_, at): Made => {
    const template = templates[at % templates.length]!
    const number = (numbers.get(template.domain) ?? 0) + 1
    numbers.set(template.domain, number)
    const id = `${template.domain}-${number}`
    const one = generalise(template, {
      id,
      seed: `${seed}-${id}`,
      rng: createRng(`${seed}/generalise/${id}`),
    })
    for (const reason of one.rejected) count(rejected, reason.replace(/^turn \d+, call \d+, /, ''))
    if (!('sample' in one)) throw new Error(`${template.id} gives no sample: ${one.rejected.at(-1)}`)
    return { ...one, template }
  })
  return { made, rejected }
}

const count = (counts: Map<string, number>, reason: string) =>
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
