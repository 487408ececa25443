/**
 * The StateEval benchmark: a model writes one program from an instruction and API documentation; RESULT and
 * the final state of the world are compared with what the reference code left behind, on every input
 * (StateEval, section IV).
 */
import type { Case } from '@stateeval/contracts'
import { emitters, type MakeBenchmark } from '@stateeval/program'
import { codeVerdicts } from '@stateeval/score'
import { aggregate } from './aggregate/aggregate.ts'
import { makeBuild } from './build/index.ts'
import { makeEpisode } from './episode.ts'
import { makeMutants } from './mutants/index.ts'
import { ask, prompt } from './opinion/ask.ts'
import { readOpinion } from './opinion/read.ts'
import { parse } from './parse.ts'
import { canShow } from './prompt/examples.ts'
import { promptings, isSupported } from './prompt/prompt.ts'
import { rootCauses } from './root-cause/root-cause.ts'
import { makePaired, makeScore } from './score.ts'
import { createStateevalPlayer as ofProgram } from './player.ts'
import {
  chooseByMode,
  limits,
  makePrompts,
  findRefusedOption,
  toolVerdicts,
  isToolMode,
  toolMeasures,
} from './tools/index.ts'
import { version } from './version.ts'

export const stateeval: MakeBenchmark<Case> = (host) => {
  const [ofPrograms, score] = [makeEpisode(host), makeScore(host)]
  const { episode, player } = chooseByMode(host, { episode: ofPrograms, player: ofProgram })
  return {
    kind: 'stateeval',
    title: 'StateEval: programs that call APIs in sequence',
    version,
    policies: ['sound'],
    verdicts: [...new Set([...codeVerdicts, ...toolVerdicts])],
    asking: {
      promptings,
      languages: emitters.map(({ language }) => language).filter(isSupported),
      modes: ['program', 'tools'],
      refuses: findRefusedOption,
      prompts: makePrompts(host),
      chat: (options) => (isToolMode(options) ? ['tools', 'roles'] : []),
      mayShow: canShow,
    },
    dialogues: { limits },
    building: { build: makeBuild(host, { episode: ofPrograms, score }) },
    parse: (line) => parse(line, host),
    episode,
    player,
    score,
    aggregate,
    reporting: {
      measures: toolMeasures,
      comparedErrors: 'byScenario',
      paired: makePaired(host),
      opinions: { prompt, causes: rootCauses, ask, read: readOpinion },
    },
    mutants: makeMutants(host),
  }
}
export default stateeval
