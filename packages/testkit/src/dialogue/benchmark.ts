/** A small benchmark of dialogues for tests: three turns, a live world, a judge, and optional parts. */
import type { Benchmark } from '@stateeval/program'
import { type DialogueCase, parse } from './case.ts'
import { episode, limits } from './episode.ts'
import { player } from './player.ts'
import { aggregate, score, verdicts } from './score.ts'

export const dialogue = (): Benchmark<DialogueCase> => ({
  kind: 'dialogue',
  title: 'small dialogues',
  version: '1',
  policies: ['only'],
  verdicts,
  asking: {
    promptings: ['direct'],
    consults: () => [
      { what: 'judge:quality', required: true },
      { what: 'user', required: false },
      { what: 'similar', required: false },
      { what: 'http:facts', required: false },
    ],
    chat: () => ['tools', 'roles'],
  },
  dialogues: { limits },
  parse,
  episode,
  player,
  score,
  aggregate,
})
