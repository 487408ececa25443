/**
 * What a warm runner is told and tells, one frame each way for a run. The runner is a process in a jail that
 * runs one program after another, each in an isolate or a child of its own. Its reports may have been written
 * under the influence of hostile code: they are bounded before they are read and checked before they are
 * believed.
 */
import type { RunnerPart } from '../telemetry.ts'
import { maxFrameBytes, type Job } from '../protocol.ts'

export interface WarmJob extends Job {
  outputBytes: number
  memoryMiB: number
  cpuSeconds: number
}

export interface WarmReport {
  /** What the program’s own surroundings said, unread: the text of an Outcome. */
  outcome: string | null
  /** How a child process ended; null where there was none. */
  code: number | null
  signal: number | null
  out: string
  err: string
  /** It printed far more than it may. */
  flood: boolean
  outOfMemory: boolean
  /** Something that only hostile code does was seen on the way. */
  violation: string | null
  /** What the program needs that this runner hasn’t got: a process runs it instead. */
  bail: string | null
  /** The runner should not be used again. */
  tainted: boolean
  cpuMs: number
  timings: Record<string, number>
}

/** What runners call the parts of a run. */
const partNames: Readonly<Record<string, RunnerPart>> = {
  startMs: 'start',
  forkMs: 'start',
  runMs: 'run',
  cleanupMs: 'cleanup',
}

/** The known timings; a runner may report anything. */
export function partsOf({ timings }: WarmReport): Partial<Record<RunnerPart, number>> {
  const parts: Partial<Record<RunnerPart, number>> = {}
  for (const [name, ms] of Object.entries(timings))
    if (Object.hasOwn(partNames, name) && ms >= 0) parts[partNames[name]!] = ms
  return parts
}

/** The maximum characters of a reason, whose words programs choose. */
export const maxReason = 200

/** The report's size besides the outcome: two outputs, escaped, and a few words. */
export const maxReportBytes = ({ resultBytes, outputBytes }: Pick<WarmJob, 'resultBytes' | 'outputBytes'>) =>
  2 * maxFrameBytes(resultBytes) + 12 * outputBytes + 64 * 1024

/**
 * The report’s text within the maximum size; a longer report is replaced by a request to run the program in
 * a process.
 */
export function reportText(report: WarmReport, job: Pick<WarmJob, 'resultBytes' | 'outputBytes'>): string {
  const text = JSON.stringify(report)
  if (text.length * 3 <= maxReportBytes(job) || Buffer.byteLength(text) <= maxReportBytes(job)) return text
  return JSON.stringify({
    ...report,
    outcome: null,
    out: '',
    err: '',
    violation: null,
    bail: 'a report longer than a frame',
  } satisfies WarmReport)
}

/** The report, or its fault. */
export function readReport(text: string): WarmReport | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'no JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'no object'
  const { outcome, code, signal, out, err, flood, outOfMemory, violation, bail, tainted, cpuMs, timings } =
    value as Record<string, unknown>
  if (!isTextOrNull(outcome) || !isTextOrNull(violation ?? null) || !isTextOrNull(bail ?? null))
    return 'no report'
  if (typeof out !== 'string' || typeof err !== 'string') return 'no output'
  return {
    outcome,
    code: whole(code),
    signal: whole(signal),
    out,
    err,
    flood: flood === true,
    outOfMemory: outOfMemory === true,
    violation: (violation as string | null | undefined) ?? null,
    bail: ((bail as string | null | undefined) ?? null)?.slice(0, maxReason) ?? null,
    tainted: tainted === true,
    cpuMs: typeof cpuMs === 'number' && cpuMs >= 0 ? cpuMs : 0,
    timings: numbers(timings),
  }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
const whole = (value: unknown) => (Number.isInteger(value) ? (value as number) : null)
const numbers = (value: unknown): Record<string, number> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
          .slice(0, 20),
      )
    : {}
