/** Hostile programs: what each tries, and how it must end. */
import type { ExecutionEnding, Language, ExecutionLimits } from '@stateeval/contracts'

/** Part of an ending; several where more than one is right. A pattern may match texts, a function values. */
export type ExpectedEnding = EndingPattern | readonly EndingPattern[]
type EndingPattern = { status: ExecutionEnding['status'] } & Record<string, unknown>

export interface AttackProgram {
  name: string
  language: Language
  code: string
  expected: ExpectedEnding
  limits?: Partial<ExecutionLimits>
  /** The expected ending behind gVisor, whose own kernel grants calls that have no effect outside of it. */
  behindGvisor?: ExpectedEnding
}

type AttackDefiner = (
  name: string,
  code: string,
  expected: ExpectedEnding,
  limits?: Partial<ExecutionLimits>,
  behindGvisor?: ExpectedEnding,
) => AttackProgram
const define =
  (language: Language): AttackDefiner =>
  (name, code, expected, limits, behindGvisor) => ({
    ...{ name, language, code, expected },
    ...(limits && { limits }),
    ...(behindGvisor && { behindGvisor }),
  })
export const javascript = define('javascript')
export const python = define('python')

/** It ran to its end and found what is given. */
export const expectFound = (result: unknown): EndingPattern => ({ status: 'completed', result })
/** It ran to its end and found no more than these. */
export const expectFoundOnly = (...names: readonly string[]): EndingPattern =>
  expectFound(
    (value: unknown) => Array.isArray(value) && value.every((name) => names.includes(name as string)),
  )
/** Nothing of what it looked for. */
export const nothing = expectFound([])
/** It ran to its end; what it changed may show in nobody else’s run. */
export const completes: EndingPattern = { status: 'completed' }
export const throws: EndingPattern = { status: 'threw' }
export const expectKill = (by: string): EndingPattern => ({ status: 'killed', by })
export const timeout: EndingPattern = { status: 'timeout' }
export const noResult: EndingPattern = { status: 'no_result' }
/** Any way to end that doesn’t blame us. */
export const anyEnd: readonly EndingPattern[] = [
  completes,
  throws,
  noResult,
  timeout,
  { status: 'killed' },
  { status: 'refused' },
]

/**
 * Expects a timeout instead where a run used up a time limit that it was not meant to reach: the machine was
 * busy.
 */
export const withTime = (
  { expected, limits }: Pick<AttackProgram, 'expected' | 'limits'>,
  ending: ExecutionEnding,
) =>
  ending.status === 'timeout' && ending.limit === 'wall' && !isMet(ending, expected)
    ? { ...limits, wallMs: 100_000 }
    : undefined

/** For what never ends by itself. */
export const briefly: Partial<ExecutionLimits> = { wallMs: 200, cpuSeconds: 2, memoryMiB: 128 }
/** For what eats memory. */
export const little: Partial<ExecutionLimits> = { wallMs: 8000, memoryMiB: 128 }

export const isMet = (ending: ExecutionEnding, expected: ExpectedEnding): boolean =>
  (Array.isArray(expected) ? (expected as readonly EndingPattern[]) : [expected as EndingPattern]).some(
    (pattern) => hasPattern(ending, pattern),
  )

function hasPattern(value: unknown, pattern: unknown): boolean {
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value)
  if (typeof pattern === 'function') return (pattern as (value: unknown) => boolean)(value)
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return false
  if (Array.isArray(pattern) && pattern.length !== (value as unknown[]).length) return false
  return Object.entries(pattern).every(([key, part]) =>
    hasPattern((value as Record<string, unknown>)[key], part),
  )
}
