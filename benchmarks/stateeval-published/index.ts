/**
 * The cases that StateEval's authors published: a model writes one Python program; RESULT and the final state
 * are compared with the truth in the file. Judged by two policies: `published`, the released evaluator's
 * comparison with its faults, and `sound`.
 */
import type { MakeBenchmark } from '@stateeval/program'
import { aggregate } from './aggregate/aggregate.ts'
import { measures } from './aggregate/measures.ts'
import { kind, parse, type PublishedCase } from './case.ts'
import { verdicts } from './compare/judge.ts'
import { importPublished } from './dataset/from-dataset.ts'
import { episode } from './episode.ts'
import { makeMutants } from './mutants/index.ts'
import { createPublishedPlayer } from './player.ts'
import { policies } from './readings.ts'
import { makeScore } from './score.ts'
import { version } from './version.ts'

export const stateevalPublished: MakeBenchmark<PublishedCase> = (host) => ({
  kind,
  title: 'StateEval, published cases: programs in Python, judged as released and soundly',
  version,
  policies,
  verdicts,
  asking: { promptings: ['direct'], languages: ['python'] },
  building: { fromDataset: importPublished, failingReferences: 'left out' },
  parse,
  episode,
  player: createPublishedPlayer,
  score: makeScore(host),
  aggregate,
  reporting: { measures },
  mutants: makeMutants(host),
})
export default stateevalPublished
