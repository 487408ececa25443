/** How the calls of a reading ended, from what the host recorded of it. */
import type { Candidate, Observation, AnswerReading } from '@stateeval/contracts'
import type { CallsOutcome } from './functions/calls.ts'

export type RunEnd =
  /** `mock` where specifications answered in the APIs' place, `live` where the APIs did. */
  | { by: 'functions' | 'mock' | 'live'; outcome: CallsOutcome; isUnrecorded?: true }
  | { by: 'world'; observation: Observation }
  | null

/** Note for a sample over live APIs whose answer has no call. */
export const noCall = 'live: there is no call'
export const isLive = (readings: readonly AnswerReading[]): boolean =>
  readings.some(({ none }) => none?.startsWith('live: '))

const createFailedOutcome = (says: string, call = 0): CallsOutcome => ({ outcome: 'failed', call, says })

/** @param form of the case; null: nothing was to be run. */
export function readRunEnd(
  candidate: Candidate,
  reading: AnswerReading | undefined,
  form: 'v1' | 'v2' | 'scenario',
): RunEnd {
  if (!reading) return null
  if (reading.run === null) return readLiveEnd(reading)
  const observation = candidate.runs[reading.run]?.observations[0]
  if (!observation) return null
  if (form === 'scenario') return { by: 'world', observation }
  return { by: form === 'v1' ? 'mock' : 'functions', outcome: readOutcome(observation) }
}

function readLiveEnd({ none = '' }: AnswerReading): RunEnd {
  if (!none.startsWith('live: ') || none === noCall) return null
  const says = none.slice('live: '.length)
  const isUnrecorded = says.startsWith('not recorded')
  if (isUnrecorded || says.startsWith('not run'))
    return {
      by: 'live',
      outcome: { outcome: 'unavailable', call: 0, says },
      ...(isUnrecorded && { isUnrecorded }),
    }
  const [, place, fault] = /^call (\d+) failed: (.*)$/s.exec(says) ?? []
  if (place === undefined) return { by: 'live', outcome: { outcome: 'value', value: 'null' } }
  return { by: 'live', outcome: createFailedOutcome(fault!, Number(place) - 1) }
}

/** A program of Python gives its outcome as RESULT, the world gives it as the only result. */
function readOutcome({ ending }: Observation): CallsOutcome {
  switch (ending.status) {
    case 'completed': {
      const result: unknown = Array.isArray(ending.result) ? ending.result[0] : ending.result
      return isOutcome(result) ? result : createFailedOutcome('the run had no outcome')
    }
    case 'timeout':
      return createFailedOutcome(`the calls took longer than ${ending.afterMs} ms`)
    case 'threw':
      return createFailedOutcome(`${ending.error.name}: ${ending.error.message}`.slice(0, 500))
    default:
      return createFailedOutcome(`the run ended with ${ending.status}`)
  }
}
/** User functions are hostile: what they leave is checked before it is believed. */
function isOutcome(value: unknown): value is CallsOutcome {
  const { outcome, value: text, foreign, call, says } = (value ?? {}) as Record<string, unknown>
  if (outcome === 'value') return typeof text === 'string' && (foreign === undefined || isForeign(foreign))
  return (
    (outcome === 'failed' || outcome === 'unavailable') &&
    typeof call === 'number' &&
    typeof says === 'string'
  )
}

function isForeign(value: unknown): boolean {
  const { equals } = (value ?? {}) as Record<string, unknown>
  return equals === null || typeof equals === 'string'
}

/** Finds the failure of a run on our side; undefined where there is none. */
export function findRunFault({ runs }: Candidate): string | undefined {
  for (const { ending, faults } of runs.flatMap(({ observations }) => observations)) {
    if (ending.status === 'infrastructure') return ending.reason
    if (faults.length > 0) return faults[0]
  }
  return undefined
}
