/**
 * WAPIIBench: a model completes a call of axios so that it does what a comment says; the request is captured
 * and compared with the expected one, argument by argument, and held against the API's specification. Judged
 * by two policies.
 */
import type { MakeBenchmark } from '@stateeval/program'
import { aggregate } from './aggregate/aggregate.ts'
import { measures } from './aggregate/measures.ts'
import { parse, type WapiiCase } from './case.ts'
import { importTasks } from './dataset/from-dataset.ts'
import { writing } from './creation/writing.ts'
import { makeEpisode } from './episode.ts'
import { sampleVerdicts } from './judge/count.ts'
import { layouts } from './prompt/prompt.ts'
import { settings } from './prompt/settings.ts'
import { setups } from './prompt/starter.ts'
import { policies } from './readings.ts'
import { makeScore } from './score.ts'
import { createWapiiPlayer } from './player.ts'
import { createEndpointCache } from './specification/cache.ts'
import { version } from './version.ts'

export const wapiibench: MakeBenchmark<WapiiCase> = (host) => {
  const endpointsOf = createEndpointCache(host)
  return {
    kind: 'wapiibench',
    title: 'WAPIIBench: web API invocation in JavaScript with axios',
    version,
    policies,
    verdicts: [...sampleVerdicts, 'infrastructure_error'],
    asking: {
      promptings: ['direct'],
      languages: ['javascript'],
      setups,
      layouts,
      settings,
      defaults: { documentation: 'none' },
    },
    building: { fromDataset: importTasks, writing },
    parse: (line) => parse(line) as WapiiCase,
    episode: makeEpisode(endpointsOf),
    player: createWapiiPlayer,
    score: makeScore(endpointsOf),
    aggregate,
    reporting: { measures },
  }
}
export default wapiibench
