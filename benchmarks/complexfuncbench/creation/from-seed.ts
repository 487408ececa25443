/**
 * A set made by a seed: templates generalised in turn, each in its own travel world. They are those of this
 * folder, or learned from given samples.
 */
import { type FilterCount, ProblemError, type SeededSet, sha256 } from '@stateeval/contracts'
import { createRng, type DatasetSet } from '@stateeval/program'
import { importConversations } from '../dataset/from-dataset.ts'
import { formatSampleLine } from './sample.ts'
import { drawComposition } from './composition.ts'
import { learnTemplate } from './learning/learn-template.ts'
import { readLearnedSamples } from './learning/read-samples.ts'
import { padSample } from './padding.ts'
import { type MadeSample, makeSample } from './samples.ts'
import type { SampleTemplate } from './template.ts'
import { templates } from './templates/index.ts'

/** Raised where the same seed makes other samples than before. */
export const creationVersion = '2'

type SeededOptions = Omit<SeededSet, 'kind'> & { seed: string | number }

/** Gives way after each sample. The set says how many draws gave none, and why. */
export function* createFromSeed({
  samples,
  seed,
  composition,
  contextTokens,
  argumentTokens,
  generalise,
}: SeededOptions): Generator<void, DatasetSet> {
  const creations: MadeSample[] = []
  const numbers = new Map<string, number>()
  const learned = generalise === undefined ? null : learnTemplates(generalise, seed)
  const sources = learned?.templates ?? templates
  const chosen = composition === 'paper' ? drawComposition(sources, samples) : sources
  const tokenLength = argumentTokens === undefined ? undefined : argumentTokens * charactersOfToken.handle
  for (let at = 0; at < samples; at++) {
    creations.push(makeSample(at, { seed, numbers, chosen, tokenLength }))
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
  const unlearned = learned?.faults ?? []
  const drawCount = creations.reduce((sum, { rejected }) => sum + rejected.length, samples + unlearned.length)
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
        ...(argumentTokens !== undefined && { argumentTokens }),
        ...(generalise !== undefined && { generalised: sha256(generalise) }),
      },
      versions: { ...about.versions, 'creation complexfuncbench': creationVersion },
      counts: { generated: drawCount, passed: samples, kept: samples },
      filtered: [...countUnlearned(unlearned), ...countCreations(creations)],
    },
    readme: readme.replace(
      'conversations in the published format.',
      contextTokens === undefined
        ? 'conversations in the published format, made by generalising templates over the travel world: each can be judged by the state that it leaves, too.'
        : `conversations in the published format, made by generalising templates over the travel world; their responses are padded with those of other domains to about ${contextTokens} tokens a dialogue.`,
    ),
  }
}

/**
 * Characters of a token, on average for cl100k_base: in responses of the world between 2.4 and 3.6, in
 * handles that are made long between 1.45 and 1.55.
 */
const charactersOfToken = { response: 3, handle: 1.55 }
const estimateSampleTokens = (text: string) => text.length / charactersOfToken.response

interface UnlearnedSample {
  domain: string
  fault: string
}

/** @throws ProblemError where no sample gives a template, with the reason for the first */
function learnTemplates(text: string, seed: string | number) {
  const outcomes = readLearnedSamples(text).map((sample) => ({
    domain: sample.domain,
    ...learnTemplate(sample, {
      seed: `${seed}-learn-${sample.id}`,
      rng: createRng(`${seed}/learn/${sample.id}`),
    }),
  }))
  const learned = outcomes.flatMap((one) => ('template' in one ? [one.template] : []))
  const faults: UnlearnedSample[] = outcomes.flatMap((one) => ('fault' in one ? [one] : []))
  if (learned.length > 0) return { templates: learned, faults }
  throw new ProblemError('unprocessable', `no sample can be generalised: ${faults[0]!.fault}`, '/generalise')
}

const countUnlearned = (faults: readonly UnlearnedSample[]): FilterCount[] =>
  countReasons(faults.map(({ domain, fault }) => ({ scenario: domain, phase: 'learn', reason: fault })))

/** Selects answers to a template's calls in a world that no sample is about. */
function selectResponses(template: SampleTemplate, at: number, seed: string | number) {
  const { sample } = makeSample(0, { seed: `${seed}-padding-${at}`, numbers: new Map(), chosen: [template] })
  return sample.turns.flatMap((turn) =>
    turn.responses.map((response) => ({ domain: template.domain as string, response })),
  )
}

/** Draws without a sample, by domain and reason; where in the path it was is left out. */
const countCreations = (creations: readonly MadeSample[]): FilterCount[] =>
  countReasons(
    creations.flatMap(({ template, rejected }) =>
      rejected.map((fault) => ({
        scenario: template.domain,
        phase: 'generalise',
        reason: fault
          .replace(/^turn \d+, call \d+, /, '')
          .replace(/^the answer \w+ has nothing at .*/s, 'an answer is empty'),
      })),
    ),
  )

function countReasons(all: readonly Omit<FilterCount, 'count'>[]): FilterCount[] {
  const counts = new Map<string, FilterCount>()
  for (const one of all) {
    const key = `${one.scenario}/${one.reason}`
    counts.set(key, { ...one, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
