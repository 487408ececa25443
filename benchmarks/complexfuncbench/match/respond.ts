/**
 * Response-based matching: two calls are equal if the live API answers them alike (section 3.1; README,
 * Published behaviour 6).
 */
import { type EpisodeEvent, type LiveRequest, sha256, type UnmetNeed } from '@stateeval/contracts'
import { type ModelTalk, throwUnexpected } from '../dialogue/talk.ts'
import type { PythonCall } from '../functions/free.ts'
import { findLivePath } from '../functions/live-paths.ts'
import { NoJson, readJson } from '../python/read.ts'
import { arePythonEqual, isDict, type PythonValue } from '../python/value.ts'
import { dumpJson, formatRepr } from '../python/write.ts'

/** The live API, by the name under which it is configured. */
const liveApi = 'booking'
export const livePart = `http:${liveApi}` as const

const maxTries = 3
const pauseMs = 2_000

/**
 * The answer to a call, as far as answers are compared: nobody is there to answer, recorded responses lack
 * it, nothing, {}, or the hash of what counts.
 */
type ResponseAnswer = 'absent' | 'unrecorded' | 'none' | 'empty' | `=${string}`
/** `again`: nothing, and another try may help. */
type ResponseAttempt = ResponseAnswer | 'again'

/** A text that two values share exactly if Python takes them for equal: True is 1 is 1.0, names in order. */
function formatEqualityText(value: PythonValue): string {
  if (Array.isArray(value)) return `[${value.map(formatEqualityText).join()}]`
  if (isDict(value))
    return `{${[...value]
      .map(([name, one]) => `${JSON.stringify(name)}:${formatEqualityText(one)}`)
      .sort()
      .join()}}`
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' && Number.isInteger(value)) return String(BigInt(value))
  return dumpJson(value, { ascii: true })
}

const removeMember = (body: PythonValue, name: string): PythonValue =>
  isDict(body) ? new Map([...body].filter(([key]) => key !== name)) : body

const silences: Partial<Record<UnmetNeed['reason'], ResponseAnswer>> = {
  not_configured: 'absent',
  not_recorded: 'unrecorded',
  // No other try helps, such as with a URL that is too long.
  refused: 'none',
}

/** Reads the relevant part of a response. */
function readResponseAnswer(event: EpisodeEvent): ResponseAttempt {
  if (event.kind === 'unavailable') return silences[event.reason] ?? 'again'
  if (event.kind !== 'responded') return throwUnexpected(event)
  if (event.status !== 200) return 'again'
  let body: PythonValue
  try {
    body = readJson(event.body)
  } catch (error) {
    if (error instanceof NoJson) return 'none'
    throw error
  }
  const status = isDict(body) ? body.get('status') : undefined
  if (!isDict(body) || status === undefined) return 'none'
  // Compared with True, so that 1 is a success and "true" is none.
  const isSuccess = arePythonEqual(status, true)
  const counted = isSuccess ? (body.has('data') ? body.get('data')! : removeMember(body, 'timestamp')) : body
  if (counted === null) return 'again'
  if (isDict(counted) && counted.size === 0) return 'empty'
  // Half of the hash: it stands in the state, twice for each call.
  return `=${sha256(formatEqualityText(counted)).slice(0, 32)}`
}

/** A value as a query parameter: `legs` is JSON without escapes, the rest is as Python prints it. */
const formatQueryValue = (name: string, value: PythonValue): string => {
  if (name === 'legs') return dumpJson(value, { ascii: false })
  if (typeof value === 'string') return value
  return typeof value === 'object' ? dumpJson(value, { ascii: true }) : formatRepr(value)
}

function buildLiveRequest({ args }: PythonCall, path: string): LiveRequest {
  const query = [...args].flatMap(([parameter, value]) =>
    value === null && parameter !== 'legs' ? [] : [[parameter, formatQueryValue(parameter, value)] as const],
  )

  return { api: liveApi, method: 'GET', path, query: Object.fromEntries(query) }
}

function ask({ fact }: ModelTalk, call: PythonCall): ResponseAnswer {
  const path = findLivePath(call.name)
  if (path === null) return 'none'
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const answer = fact(
      {
        kind: 'http',
        request: buildLiveRequest(call, path),
        attempt,
        ...(attempt > 0 && { afterMs: pauseMs }),
      },
      readResponseAnswer,
    )
    if (answer !== 'again') return answer
  }
  return 'none'
}

type ByResponse = 'equal' | 'different' | 'absent' | 'unrecorded' | 'no answer' | 'empty'

/**
 * Both calls are sent, the prediction first; `empty`: the prediction was answered {}, and the golden call is
 * not sent.
 */
export function judgeByResponse(talk: ModelTalk, prediction: PythonCall, golden: PythonCall): ByResponse {
  const actual = ask(talk, prediction)
  if (actual === 'absent' || actual === 'unrecorded' || actual === 'empty') return actual
  const expected = ask(talk, golden)
  if (expected === 'unrecorded') return expected
  if (actual === 'none' || expected === 'none') return 'no answer'
  return actual === expected ? 'equal' : 'different'
}
