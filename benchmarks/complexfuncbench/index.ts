/**
 * ComplexFuncBench: a model calls functions over several steps until it can answer; each call is compared
 * with golden ones and answered by recorded responses, as ComplexEval does. Judged by two policies.
 */
import type { MakeBenchmark } from '@stateeval/program'
import { aggregate } from './aggregate/aggregate.ts'
import { measures } from './aggregate/measures.ts'
import { type ComplexCase, parse } from './case.ts'
import { createConversations } from './conversation/cache.ts'
import { createFromSeed } from './creation/from-seed.ts'
import { writing } from './creation/writing/writing.ts'
import { importConversations } from './dataset/from-dataset.ts'
import { limits } from './dialogue/session.ts'
import { makeEpisode } from './episode.ts'
import { policies, explainWithoutWorld } from './live/policy.ts'
import { withState } from './live/score.ts'
import { livePart } from './match/respond.ts'
import { makeMutants } from './mutants.ts'
import { makePlayer } from './player.ts'
import { layouts, getRunner } from './runner/index.ts'
import { makeScore } from './score.ts'
import { verdicts } from './verdicts.ts'
import { version } from './version.ts'

export const complexfuncbench: MakeBenchmark<ComplexCase> = (host) => {
  const conversationOf = createConversations(host)
  return {
    kind: 'complexfuncbench',
    title: 'ComplexFuncBench: multi-step function calling',
    version,
    policies,
    verdicts,
    asking: {
      promptings: ['direct'],
      layouts,
      // Greedy, 2048 tokens (the paper, appendix B.1).
      settings: { published: () => ({ temperature: 0, max_tokens: 2048 }) },
      refusesFor: ({ task }, { policy }) => (task.live ? null : explainWithoutWorld(policy)),
      consults: () => [
        { what: 'similar', required: false },
        { what: livePart, required: false },
        { what: 'judge:match', required: false },
        { what: 'judge:completeness', required: false },
        { what: 'judge:correctness', required: false },
      ],
      chat: (options) => (getRunner(options).usesTools ? ['tools', 'roles'] : ['roles']),
    },
    dialogues: { limits, steps: ({ task }) => task.turns },
    building: { fromDataset: importConversations, fromSeed: createFromSeed, writing },
    parse: (line) => parse(line) as ComplexCase,
    episode: makeEpisode(conversationOf),
    player: makePlayer(conversationOf),
    score: withState(makeScore(conversationOf), conversationOf),
    aggregate,
    reporting: { measures, comparedErrors: 'errorTypes' },
    mutants: makeMutants(conversationOf),
  }
}
export default complexfuncbench
