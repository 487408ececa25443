/** A set made by a seed alone: the templates generalised in turn, each in its own travel world. */
import type { FilterCount } from '@stateeval/contracts'
import type { DatasetSet } from '@stateeval/program'
import { importConversations } from '../dataset/from-dataset.ts'
import { formatSampleLine } from './sample.ts'
import { drawComposition } from './composition.ts'
import { padSample } from './padding.ts'
import { type MadeSample, makeSample } from './samples.ts'
import type { SampleTemplate } from './template.ts'
import { templates } from './templates/index.ts'

/** Raised where the same seed makes other samples than before. */
export const creationVersion = '1'

interface SeededOptions {
  samples: number
  seed: string | number
  composition?: 'paper'
  contextTokens?: number
}

/** Gives way after each sample. The set says how many draws gave none, and why. */
export function* createFromSeed({
  samples,
  seed,
  composition,
  contextTokens,
}: SeededOptions): Generator<void, DatasetSet> {
  const creations: MadeSample[] = []
  const numbers = new Map<string, number>()
  const chosen = composition === 'paper' ? drawComposition(templates, samples) : templates
  for (let at = 0; at < samples; at++) {
    creations.push(makeSample(at, { seed, numbers, chosen }))
    yield
  }
  const lines: string[] = []
  const responses =
    contextTokens === undefined
      ? []
      : templates.flatMap((template, at) => selectResponses(template, at, seed))
  for (const { sample } of creations) {
    const line = formatSampleLine(sample)
    lines.push(
      contextTokens === undefined
        ? line
        : padSample(line, responses, { tokens: contextTokens, countTokens: estimateSampleTokens }),
    )
    yield
  }
  const text = lines.join('\n')
  const { about, readme, ...set } = importConversations({ 'samples.jsonl': text })
  const drawCount = creations.reduce((sum, { rejected }) => sum + rejected.length, samples)
  return {
    ...set,
    about: {
      ...about,
      seed,
      options: {
        ...about.options,
        samples,
        ...(composition && { composition }),
        ...(contextTokens !== undefined && { contextTokens }),
      },
      versions: { ...about.versions, 'creation complexfuncbench': creationVersion },
      counts: { generated: drawCount, passed: samples, kept: samples },
      filtered: countCreations(creations),
    },
    readme: readme.replace(
      'conversations in the published format.',
      contextTokens === undefined
        ? 'conversations in the published format, made by generalising templates over the travel world: each can be judged by the state that it leaves, too.'
        : `conversations in the published format, made by generalising templates over the travel world; their responses are padded with those of other domains to about ${contextTokens} tokens a dialogue.`,
    ),
  }
}

/** Characters of a token in responses of the world, on average: between 2.4 and 3.6 for cl100k_base. */
const charactersPerToken = 3
const estimateSampleTokens = (text: string) => text.length / charactersPerToken

/** Selects answers to a template's calls in a world that no sample is about. */
function selectResponses(template: SampleTemplate, at: number, seed: string | number) {
  const { sample } = makeSample(0, { seed: `${seed}-padding-${at}`, numbers: new Map(), chosen: [template] })
  return sample.turns.flatMap((turn) =>
    turn.responses.map((response) => ({ domain: template.domain as string, response })),
  )
}

/** Draws without a sample, by domain and reason; where in the path it was is left out. */
function countCreations(creations: readonly MadeSample[]): FilterCount[] {
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
