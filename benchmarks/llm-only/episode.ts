/** One question, one answer. */
import type { EpisodeOptions } from '@stateeval/contracts'
import {
  type BenchmarkHost,
  type Episode,
  findNewestMessage,
  oneAnswer,
  type ReplyPlayer,
} from '@stateeval/program'
import type { DocumentationCase } from './case.ts'
import { buildLlmOnlyPrompt } from './prompt.ts'

export const makeEpisode = (host: BenchmarkHost): Episode<DocumentationCase> => ({
  start: ({ task: { scenario, calls } }) => ({
    state: null,
    need: {
      kind: 'reply',
      role: 'model',
      transcript: 0,
      append: [{ role: 'user', content: buildLlmOnlyPrompt(host.scenario(scenario), calls) }],
    },
  }),
  resume(_c, _options, _state, event, transcripts) {
    if (event.kind === 'replied') {
      const reading = { policy: null, none: 'programs are read, not run', run: null }
      return {
        done: {
          kind: 'program',
          attempts: [{ message: findNewestMessage(transcripts), readings: [reading] }],
        },
      }
    }
    if (event.kind !== 'unavailable') throw new TypeError(`an episode of one answer got ${event.kind}`)
    const { reason, detail } = event
    return { done: { kind: 'program', attempts: [] }, notScored: { reason, detail } }
  },
})

/** A program that the generator made; there are no mutants of it, as nothing is compared. */
export const createLlmOnlyPlayer = (
  { task }: DocumentationCase,
  _options: EpisodeOptions,
): ReplyPlayer | null =>
  task.reference === '' ? null : oneAnswer(`\`\`\`javascript\n${task.reference}\n\`\`\`\n`)
