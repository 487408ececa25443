/**
 * The LLM-only baseline of StateGen (StateEval paper, section IV-B, RQ1, Fig. 3): a model writes programs
 * from a scenario's documentation alone, and their adjacent transition coverage (equation 3) is held against
 * the generator's.
 */
import type { MakeBenchmark } from '@stateeval/program'
import { makeAggregate, measures, policy } from './aggregate.ts'
import { build } from './build.ts'
import { type DocumentationCase, kind, parseCase } from './case.ts'
import { makeEpisode, createLlmOnlyPlayer } from './episode.ts'
import { makeScore, verdicts } from './score.ts'
import { version } from './version.ts'

const llmOnly: MakeBenchmark<DocumentationCase> = (host) => ({
  kind,
  title: 'LLM-only: programs written from documentation alone',
  version,
  policies: [policy],
  verdicts,
  asking: { promptings: ['direct'], languages: ['javascript'] },
  building: { build },
  parse: (line) => parseCase(line, host),
  episode: makeEpisode(host),
  player: createLlmOnlyPlayer,
  score: makeScore(host),
  aggregate: makeAggregate(host, version),
  reporting: { measures },
})
export default llmOnly
