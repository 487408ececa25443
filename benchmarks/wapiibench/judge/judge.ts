/** The judgement of a policy about a run: which request counts, and how it compares. */
import type { Observation } from '@stateeval/contracts'
import { listCaptured } from '../capture/captured.ts'
import { buildPublishedConfig } from '../capture/published.ts'
import type { RequestConfiguration } from '../case.ts'
import type { SpecifiedEndpoints } from '../specification/endpoints.ts'
import { judgeErrorVerdict, judgeRequestPublished } from './published.ts'
import { judgeRequestSound } from './sound.ts'
import type { RequestJudgement, RequestConfig } from './types.ts'

const toRequestConfig = (config: RequestConfiguration) => config as RequestConfig

/**
 * `vanished`: the program ended well and asked for nothing; the published evaluator then counts the sample
 * nowhere.
 */
export type JudgedOutcome = { judged: RequestJudgement; note?: string } | 'vanished'

export function findPublishedOutcome(
  config: RequestConfiguration,
  { ending, ...rest }: Observation,
  code: string,
  endpoints: SpecifiedEndpoints,
): JudgedOutcome {
  const expected = toRequestConfig(config)
  const error = (says: string): JudgedOutcome => ({
    judged: judgeErrorVerdict('EXECUTION_ERROR', says, expected, endpoints),
  })
  const requests = listCaptured({ ending, ...rest })
  // The mock refuses a request before anything else happens.
  const configs: RequestConfig[] = []
  for (const request of requests) {
    try {
      configs.push(buildPublishedConfig(request))
    } catch (thrown) {
      if (!/\.catch\s*\(/.test(code)) return error(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  if (ending.status !== 'completed' && ending.status !== 'no_result') return error(describeEnding(ending))
  const last = configs.at(-1)
  if (!last) return 'vanished'
  const judged = judgeRequestPublished(expected, last, endpoints)
  return configs.length > 1
    ? { judged, note: `${configs.length} requests; the last one replaced the others` }
    : { judged }
}

export function findSoundOutcome(
  config: RequestConfiguration,
  observation: Observation,
  endpoints: SpecifiedEndpoints,
): JudgedOutcome {
  const [first, ...more] = listCaptured(observation)
  if (!first) {
    const { status } = observation.ending
    const hasEnded = status === 'completed' || status === 'no_result'
    const error = hasEnded ? 'ABSENT_REQUEST' : status === 'timeout' ? 'TIMEOUT' : 'EXECUTION_ERROR'
    return {
      judged: judgeErrorVerdict(
        error,
        hasEnded ? 'the program ended without a request' : describeEnding(observation.ending),
        toRequestConfig(config),
        endpoints,
      ),
    }
  }
  const judged = judgeRequestSound(toRequestConfig(config), first, endpoints)
  return more.length > 0 ? { judged, note: `${more.length + 1} requests; the first counts` } : { judged }
}

function describeEnding(ending: Observation['ending']): string {
  switch (ending.status) {
    case 'threw':
    case 'refused':
      return `${ending.error.name}: ${ending.error.message}`
    case 'timeout':
      return `it did not end within its ${ending.limit} time`
    case 'killed':
      return `it was ended: ${ending.by}`
    default:
      return ending.status
  }
}
