/** A set made by a seed alone: the templates generalised in turn, each in a travel world of its own. */
import type { FilterCount } from '@stateeval/contracts'
import type { DatasetSet } from '@stateeval/program'
import { fromDataset } from '../dataset/from-dataset.ts'
import { lineOfSample } from './sample.ts'
import { type Made, makeSample } from './samples.ts'

/** Raised where the same seed makes other samples than before. */
export const creationVersion = '1'

/** Gives way after each sample. The set says how many draws gave none, and why. */
export function* fromSeed({
  samples,
  seed,
}: {
  samples: number
  seed: string | number
}): Generator<void, DatasetSet> {
  const creations: Made[] = []
  const numbers = new Map<string, number>()
  for (let at = 0; at < samples; at++) {
    creations.push(makeSample(at, { seed, numbers }))
    yield
  }
  const text = creations.map(({ sample }) => lineOfSample(sample)).join('\n')
  const { about, readme, ...set } = fromDataset({ 'samples.jsonl': text })
  const drawCount = creations.reduce((sum, { rejected }) => sum + rejected.length, samples)
  return {
    ...set,
    about: {
      ...about,
      seed,
      options: { ...about.options, samples },
      versions: { ...about.versions, 'creation complexfuncbench': creationVersion },
      counts: { generated: drawCount, passed: samples, kept: samples },
      filtered: countsOf(creations),
    },
    readme: readme.replace(
      'conversations in the published format.',
      'conversations in the published format, made by generalising templates over the travel world: each can be judged by the state that it leaves, too.',
    ),
  }
}

/** Draws without a sample, by domain and reason; where in the path it was is left out. */
function countsOf(creations: readonly Made[]): FilterCount[] {
  const counts = new Map<string, FilterCount>()
  for (const { template, rejected } of creations)
    for (const fault of rejected) {
      const reason = fault
        .replace(/^turn \d+, call \d+, /, '')
        .replace(/^the answer \w+ has nothing at .*/s, 'an answer is empty')
      const key = `${template.domain}/${reason}`
      const count = (counts.get(key)?.count ?? 0) + 1
      counts.set(key, { scenario: template.domain, phase: 'generalise', reason, count })
    }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
