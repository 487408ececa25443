/** The judgement of a policy about a run: which request counts, and how it compares. */
import type { Observation } from '@stateeval/contracts'
import { capturedIn } from '../capture/captured.ts'
import { publishedConfig } from '../capture/published.ts'
import type { Config } from '../case.ts'
import type { Endpoints } from '../specification/endpoints.ts'
import { judgedError, judgePublished } from './published.ts'
import { judgeSound } from './sound.ts'
import type { Judged, RequestConfig } from './types.ts'

const asRequest = (config: Config) => config as RequestConfig

/**
 * `vanished`: the program ended well and asked for nothing; the published evaluator then counts the sample
 * nowhere.
 */
export type JudgedOutcome = { judged: Judged; note?: string } | 'vanished'

export function publishedOutcome(
  config: Config,
  { ending, ...rest }: Observation,
  code: string,
  endpoints: Endpoints,
): JudgedOutcome {
  const expected = asRequest(config)
  const error = (says: string): JudgedOutcome => ({
    judged: judgedError('EXECUTION_ERROR', says, expected, endpoints),
  })
  const requests = capturedIn({ ending, ...rest })
  // The mock refuses a request anything else happens.
  const configs: RequestConfig[] = []
  for (const request of requests) {
    try {
      configs.push(publishedConfig(request))
    } catch (thrown) {
      if (!/\.catch\s*\(/.test(code)) return error(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  if (ending.status !== 'completed' && ending.status !== 'no_result') return error(says(ending))
  const last = configs.at(-1)
  if (!last) return 'vanished'
  const judged = judgePublished(expected, last, endpoints)
  return configs.length > 1
    ? { judged, note: `${configs.length} requests; the last one replaced the others` }
    : { judged }
}

export function soundOutcome(config: Config, observation: Observation, endpoints: Endpoints): JudgedOutcome {
  const [first, ...more] = capturedIn(observation)
  if (!first) {
    const { status } = observation.ending
    const hasEnded = status === 'completed' || status === 'no_result'
    const error = hasEnded ? 'ABSENT_REQUEST' : status === 'timeout' ? 'TIMEOUT' : 'EXECUTION_ERROR'
    return {
      judged: judgedError(
        error,
        hasEnded ? 'the program ended without a request' : says(observation.ending),
        asRequest(config),
        endpoints,
      ),
    }
  }
  const judged = judgeSound(asRequest(config), first, endpoints)
  return more.length > 0 ? { judged, note: `${more.length + 1} requests; the first counts` } : { judged }
}

function says(ending: Observation['ending']): string {
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
