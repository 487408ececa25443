/**
 * NESTFUL: a model answers a request with a sequence of API calls, where the results of calls are arguments
 * of later ones. The sequence is compared with the gold one, and run where its functions can be run. Judged
 * by two policies.
 */
import type { MakeBenchmark } from '@stateeval/program'
import { aggregate } from './aggregate/aggregate.ts'
import { measures } from './aggregate/measures.ts'
import { createApiFinder } from './apis.ts'
import { isProgram, makeProgramAnswers } from './as-program.ts'
import { build } from './build/index.ts'
import { type NestfulCase, parse } from './case.ts'
import { importNestful } from './dataset/from-dataset.ts'
import { makeEpisode } from './episode.ts'
import { hosts } from './execution/hosts.ts'
import { makeMutants } from './mutants/index.ts'
import { makePlayer } from './player.ts'
import { layouts, setups } from './prompt/prompt.ts'
import { settings } from './prompt/settings.ts'
import { policies } from './readings.ts'
import { verdicts } from './judge/judgements.ts'
import { makeScore } from './score.ts'
import { version } from './version.ts'

export const nestful: MakeBenchmark<NestfulCase> = (host) => {
  const apisOf = createApiFinder(host)
  const [calls, programs] = [makeEpisode(apisOf, host), makeProgramAnswers(host)]
  const [player, score] = [makePlayer(apisOf), makeScore(apisOf, host)]
  return {
    kind: 'nestful',
    title: 'NESTFUL: nested sequences of API calls',
    version,
    policies,
    verdicts,
    asking: {
      promptings: ['direct'],
      setups,
      layouts,
      settings,
      refusesFor: ({ task }, { policy }) =>
        task.truth && policy === 'published'
          ? {
              field: '/policy',
              says: 'fresh cases are decided by the world that calls or a program leave, not by texts; leave policy out, or set it to sound',
            }
          : null,
      consults: () => hosts.map((name) => ({ what: `http:${name}` as const, required: false })),
      chat: ({ setup }) => (setup === 'tools' ? ['tools'] : []),
    },
    building: { fromDataset: importNestful, build },
    mutants: makeMutants(apisOf, host),
    parse,
    episode: {
      start: (c, options) => (isProgram(options) ? programs.episode : calls).start(c, options),
      resume: (c, options, ...rest) =>
        (isProgram(options) ? programs.episode : calls).resume(c, options, ...rest),
    },
    player: (c, options, mutant) => (isProgram(options) ? programs.player : player)(c, options, mutant),
    score: (request) =>
      request.candidate.said.kind === 'program' && request.case.task.truth
        ? programs.score(request.case, request.candidate)
        : score(request),
    aggregate,
    reporting: { measures, comparedErrors: 'byDepth' },
  }
}
export default nestful
