/** Hostile programs: what each tries, and how it must end. */
import type { ExecutionEnding, Language, ExecutionLimits } from '@stateeval/contracts'

/**
 * Part of an ending; several where more than one is right. Texts may be told by a pattern, values by a
 * function.
 */
export type Expected = Pattern | readonly Pattern[]
type Pattern = { status: ExecutionEnding['status'] } & Record<string, unknown>

export interface Attack {
  name: string
  language: Language
  code: string
  expected: Expected
  limits?: Partial<ExecutionLimits>
  /** The right ending behind gVisor, whose own kernel grants what means nothing outside of it. */
  behindGvisor?: Expected
}

type Define = (
  name: string,
  code: string,
  expected: Expected,
  limits?: Partial<ExecutionLimits>,
  behindGvisor?: Expected,
) => Attack
const define =
  (language: Language): Define =>
  (name, code, expected, limits, behindGvisor) => ({
    ...{ name, language, code, expected },
    ...(limits && { limits }),
    ...(behindGvisor && { behindGvisor }),
  })
export const javascript = define('javascript')
export const python = define('python')

/** It ran to its end and found what is given. */
export const finds = (result: unknown): Pattern => ({ status: 'completed', result })
/** It ran to its end and found no more than these. */
export const findsOnly = (...names: readonly string[]): Pattern =>
  finds((value: unknown) => Array.isArray(value) && value.every((name) => names.includes(name as string)))
/** Nothing of what it looked for. */
export const nothing = finds([])
/** It ran to its end; what it changed may show in nobody else’s run. */
export const completes: Pattern = { status: 'completed' }
export const throws: Pattern = { status: 'threw' }
export const killed = (by: string): Pattern => ({ status: 'killed', by })
export const timeout: Pattern = { status: 'timeout' }
export const noResult: Pattern = { status: 'no_result' }
/** Any way to end that doesn’t blame us. */
export const anyEnd: readonly Pattern[] = [
  completes,
  throws,
  noResult,
  timeout,
  { status: 'killed' },
  { status: 'refused' },
]

/** Allows the timeout where a time that was not meant to use up was used up: the machine was busy. */
export const withTime = (
  { expected, limits }: Pick<Attack, 'expected' | 'limits'>,
  ending: ExecutionEnding,
) =>
  ending.status === 'timeout' && ending.limit === 'wall' && !meets(ending, expected)
    ? { ...limits, wallMs: 100_000 }
    : undefined

/** For what never ends by itself. */
export const briefly: Partial<ExecutionLimits> = { wallMs: 200, cpuSeconds: 2, memoryMiB: 128 }
/** For what eats memory. */
export const little: Partial<ExecutionLimits> = { wallMs: 8000, memoryMiB: 128 }

export const meets = (ending: ExecutionEnding, expected: Expected): boolean =>
  (Array.isArray(expected) ? (expected as readonly Pattern[]) : [expected as Pattern]).some((pattern) =>
    fits(ending, pattern),
  )

function fits(value: unknown, pattern: unknown): boolean {
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value)
  if (typeof pattern === 'function') return (pattern as (value: unknown) => boolean)(value)
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return false
  if (Array.isArray(pattern) && pattern.length !== (value as unknown[]).length) return false
  return Object.entries(pattern).every(([key, part]) => fits((value as Record<string, unknown>)[key], part))
}
