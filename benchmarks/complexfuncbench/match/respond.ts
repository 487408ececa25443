/**
 * Response-based matching: two calls are equal if the live API answers them alike (section 3.1; README,
 * Published behaviour 6).
 */
import { type EpisodeEvent, type LiveRequest, sha256, type UnmetNeed } from '@stateeval/contracts'
import { type Talk, unexpected } from '../dialogue/talk.ts'
import type { Call } from '../functions/free.ts'
import { livePath } from '../functions/live-paths.ts'
import { NoJson, readJson } from '../python/read.ts'
import { equal, isDict, type Value } from '../python/value.ts'
import { dumps, repr } from '../python/write.ts'

/** The live API, by the name under which it is configured. */
export const liveApi = 'booking'
export const livePart = `http:${liveApi}` as const

const maxTries = 3
const pauseMs = 2_000

/**
 * The answer to a call, as far as answers are compared: there is nobody to answer, recorded responses
 * don't, nothing, {}, or the hash of what counts.
 */
type Answer = 'absent' | 'unrecorded' | 'none' | 'empty' | `=${string}`
/** `again`: nothing, and another try may help. */
type Attempt = Answer | 'again'

/** A text that two values share exactly if Python takes them for equal: True is 1 is 1.0, names in order. */
function equalityText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(equalityText).join()}]`
  if (isDict(value))
    return `{${[...value]
      .map(([name, one]) => `${JSON.stringify(name)}:${equalityText(one)}`)
      .sort()
      .join()}}`
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' && Number.isInteger(value)) return String(BigInt(value))
  return dumps(value, { ascii: true })
}

const without = (body: Value, name: string): Value =>
  isDict(body) ? new Map([...body].filter(([key]) => key !== name)) : body

const silences: Partial<Record<UnmetNeed['reason'], Answer>> = {
  not_configured: 'absent',
  not_recorded: 'unrecorded',
  // No other try helps, such as with a URL that is too long.
  refused: 'none',
}

/** Reads the relevant part of a response. */
export function answerIn(event: EpisodeEvent): Attempt {
  if (event.kind === 'unavailable') return silences[event.reason] ?? 'again'
  if (event.kind !== 'responded') return unexpected(event)
  if (event.status !== 200) return 'again'
  let body: Value
  try {
    body = readJson(event.body)
  } catch (error) {
    if (error instanceof NoJson) return 'none'
    throw error
  }
  const status = isDict(body) ? body.get('status') : undefined
  if (!isDict(body) || status === undefined) return 'none'
  // Compared with True, so that 1 is a success and "true" is none.
  const isSuccess = equal(status, true)
  const counted = isSuccess ? (body.has('data') ? body.get('data')! : without(body, 'timestamp')) : body
  if (counted === null) return 'again'
  if (isDict(counted) && counted.size === 0) return 'empty'
  // Half of the hash: it stands in the state, twice for each call.
  return `=${sha256(equalityText(counted)).slice(0, 32)}`
}

/** A value as a query parameter: `legs` is JSON without escapes, the rest is as Python prints it. */
const queryText = (name: string, value: Value): string => {
  if (name === 'legs') return dumps(value, { ascii: false })
  if (typeof value === 'string') return value
  return typeof value === 'object' ? dumps(value, { ascii: true }) : repr(value)
}

function requestOf({ args }: Call, path: string): LiveRequest {
  const query = [...args].flatMap(([parameter, value]) =>
    value === null && parameter !== 'legs' ? [] : [[parameter, queryText(parameter, value)] as const],
  )

  return { api: liveApi, method: 'GET', path, query: Object.fromEntries(query) }
}

function ask({ fact }: Talk, call: Call): Answer {
  const path = livePath(call.name)
  if (path === null) return 'none'
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const answer = fact(
      {
        kind: 'http',
        request: requestOf(call, path),
        attempt,
        ...(attempt > 0 && { afterMs: pauseMs }),
      },
      answerIn,
    )
    if (answer !== 'again') return answer
  }
  return 'none'
}

export type ByResponse = 'equal' | 'different' | 'absent' | 'unrecorded' | 'no answer' | 'empty'

/**
 * Both calls are sent, the prediction first; `empty`: the prediction was answered {}, and the golden call is
 * not sent.
 */
export function byResponse(talk: Talk, prediction: Call, golden: Call): ByResponse {
  const actual = ask(talk, prediction)
  if (actual === 'absent' || actual === 'unrecorded' || actual === 'empty') return actual
  const expected = ask(talk, golden)
  if (expected === 'unrecorded') return expected
  if (actual === 'none' || expected === 'none') return 'no answer'
  return actual === expected ? 'equal' : 'different'
}
