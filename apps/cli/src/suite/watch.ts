/**
 * Watches a job resource until it ends: on a terminal with a line that is rewritten; elsewhere silently, or
 * with occasional lines if requested.
 */
import type { JobStatus } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import type { CommandTerminal } from '../terminal.ts'
import { replaceRequests } from './in-commands.ts'
import { createPace, formatDuration, type WorkPace } from './pace.ts'
import { askPatiently, pauseWatching } from './patience.ts'

export interface JobResource {
  id: string
  status: JobStatus
  progress: { done: number; total: number; phase: string }
  error?: string
  /** The awaited resource, and what to do. */
  waiting?: string
}

/** A job that runs in a service. */
interface WatchedJob<T extends JobResource> {
  /** The kind of work: evaluation, build. */
  title: string
  first: T
  get: () => Promise<T>
  /** The command that looks at it later. */
  later: string
  /** A command to try after a failure. */
  remedy?: string
  /** More to tell while it runs: pass rate, cost. */
  more?: (job: T) => string[]
  /** Things to know as soon as they show, each told once. */
  notes?: readonly ((job: T) => string | null)[]
}

/** A job that ended without success. */
export class JobFailure extends Failure {
  readonly status: JobStatus
  constructor(message: string, status: JobStatus) {
    super(message)
    this.status = status
  }
}

interface WatchOptions {
  patienceMs?: number
  /** Between two lines where no line can be rewritten, in milliseconds. */
  lineEveryMs?: number
}

/** The interval of lines if no line can be rewritten. */
export const lineEveryMs = 30_000

/** The most important first, because a narrow terminal shows only the beginning. */
export const formatCounts = (
  { done, total, phase }: JobResource['progress'],
  pace: WorkPace | null,
  more: readonly string[],
) =>
  [
    `${done}/${total} ${phase}`,
    ...(pace && pace.leftMs !== null && done < total ? [`${formatDuration(pace.leftMs)} left`] : []),
    ...(pace ? [`${pace.perMinute.toFixed(pace.perMinute < 10 ? 1 : 0)}/min`] : []),
    ...more,
  ].join(', ')

/** One line: a bar, counts, phase, pace. */
export function formatProgressLine(
  title: string,
  progress: JobResource['progress'],
  pace: WorkPace | null = null,
  more: readonly string[] = [],
): string {
  const { done, total } = progress
  const share = total > 0 ? Math.min(1, done / total) : 0
  const width = more.length > 0 ? 12 : 24
  const filled = Math.round(share * width)
  return `${title} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${formatCounts(progress, pace, more)}`
}

/**
 * Asks again until the job has ended: often at first, then once a second. Waits for a service that is
 * unavailable. Rejects with a JobFailure and the reason if the job failed or was cancelled. Ctrl-C stops the
 * watching, not the job.
 */
export async function watch<T extends JobResource>(
  { title, first, get, later, remedy, more = () => [], notes = [] }: WatchedJob<T>,
  terminal: CommandTerminal,
  signal: AbortSignal,
  { patienceMs, lineEveryMs: everyMs = lineEveryMs }: WatchOptions = {},
): Promise<T> {
  const waiting = {
    what: `${title} ${first.id}`,
    later,
    terminal,
    signal,
    ...(patienceMs !== undefined && { patienceMs }),
  }
  const pace = createPace()
  let job = first
  let toldAt = performance.now()
  const told = new Set<object>()
  let waitsFor: string | undefined
  for (
    let wait = 100;
    job.status === 'queued' || job.status === 'running';
    wait = Math.min(1000, wait * 1.3)
  ) {
    const now = pace(job.progress)
    terminal.progress(formatProgressLine(title, job.progress, now, more(job)))
    if (terminal.progressLines && performance.now() - toldAt >= everyMs) {
      toldAt = performance.now()
      terminal.notice(`${title} ${first.id}: ${formatCounts(job.progress, now, more(job))}`)
    }
    if (job.waiting !== undefined && job.waiting !== waitsFor)
      terminal.notice(`${title} ${first.id}: ${replaceRequests(job.waiting)}`)
    waitsFor = job.waiting
    for (const note of notes) {
      const text = told.has(note) ? null : note(job)
      if (text === null) continue
      told.add(note)
      terminal.notice(text)
    }
    await pauseWatching(wait, waiting)
    job = await askPatiently(get, waiting)
  }
  if (job.status === 'succeeded') return job
  const why = job.error === undefined ? '' : `: ${replaceRequests(job.error)}`
  // Mostly the reason says how to continue.
  const next = remedy === undefined || why.includes(remedy) ? '' : `. Continue with \`${remedy}\``
  throw new JobFailure(
    `${title} ${job.id} ${job.status === 'cancelled' ? 'was cancelled' : job.status}${why}${next}`,
    job.status,
  )
}
