/** Parses the harness's report of a run: candidate code ran beside it. */
import type { JsonValue, Observation } from '@stateeval/contracts'
import { isRecord } from '@stateeval/contracts'

/**
 * A Python value: scalars as they are, everything else under the name of its type. `number` is what JSON has
 * no number for.
 */
export type ReportedValue =
  | null
  | boolean
  | number
  | string
  | { list: ReportedValue[] }
  | { tuple: ReportedValue[] }
  | { dict: [ReportedValue, ReportedValue][] }
  | { speech: Readonly<Record<string, ReportedValue>> }
  | { tensor: JsonValue }
  | { number: string }
  | { other: string }

type ReportedEnd =
  /** `result` is absent where RESULT was never set. */
  | { status: 'completed' | 'exit'; result?: ReportedValue; calls: [ReportedValue, ReportedValue][] }
  | { status: 'threw'; says: string }
  | { status: 'syntax'; says: string }
  /** A limit of ours, which the released evaluator has none of. */
  | { status: 'limit'; timeout: boolean; says: string }

/** How a run ended; null where it says nothing of the candidate, as something of ours failed. */
export function readReportedEnd({ ending, faults }: Observation): ReportedEnd | { fault: string } {
  if (faults[0] !== undefined) return { fault: faults[0] }
  switch (ending.status) {
    case 'infrastructure':
      return { fault: ending.reason }
    case 'completed':
      return parseReport(ending.result)
    case 'timeout':
      return {
        status: 'limit',
        timeout: true,
        says: `the program was stopped by the ${ending.limit} time limit`,
      }
    case 'killed':
      return {
        status: 'limit',
        timeout: false,
        says: `the program was stopped: ${ending.by}${ending.detail === undefined ? '' : `, ${ending.detail}`}`,
      }
    case 'no_result':
      return { status: 'limit', timeout: false, says: `the program ended early: ${ending.reason}` }
    case 'threw':
    case 'refused':
      return { status: 'threw', says: `${ending.error.name}: ${ending.error.message}` }
  }
}

function parseReport(result: unknown): ReportedEnd {
  const unclear: ReportedEnd = { status: 'threw', says: 'the program changed how its outcome is reported' }
  if (!isRecord(result)) return unclear
  const { ended, error, calls } = result
  if (ended === 'completed' || ended === 'exit') {
    const list = Array.isArray(calls) ? calls : []
    if (!list.every((call) => Array.isArray(call) && call.every(isValue))) return unclear
    const base = { status: ended, calls: list as [ReportedValue, ReportedValue][] } as const
    if (!Object.hasOwn(result, 'result')) return base
    return isValue(result['result']) ? { ...base, result: result['result'] } : unclear
  }
  if ((ended === 'threw' || ended === 'syntax') && isRecord(error)) {
    const { type, message, line } = error
    const at = typeof line === 'number' ? `, line ${line}` : ''
    return { status: ended, says: `${String(type)}: ${String(message)}${at}` }
  }
  return unclear
}

function isValue(value: unknown): value is ReportedValue {
  if (value === null || ['boolean', 'number', 'string'].includes(typeof value)) return true
  if (!isRecord(value)) return false
  const [[key, inner] = [], ...more] = Object.entries(value)
  if (more.length > 0) return false
  switch (key) {
    case 'list':
    case 'tuple':
      return Array.isArray(inner) && inner.every(isValue)
    case 'dict':
      return (
        Array.isArray(inner) &&
        inner.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isValue))
      )
    case 'speech':
      return isRecord(inner) && Object.values(inner).every(isValue)
    case 'number':
    case 'other':
      return typeof inner === 'string'
    case 'tensor':
      return inner !== null
    default:
      return false
  }
}
