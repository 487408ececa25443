/** Watches a job resource until it ends, with a line of progress. */
import type { JobStatus } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { patiently, pause } from './patience.ts'

export interface JobResource {
  id: string
  status: JobStatus
  progress: { done: number; total: number; phase: string }
  error?: string
}

/** A job that goes on in a service. */
export interface Watched<T extends JobResource> {
  /** What it is called: evaluation, build. */
  title: string
  first: T
  get: () => Promise<T>
  /** The command that looks at it later. */
  later: string
  /** What may be done where it did not succeed, as a command. */
  remedy?: string
}

const width = 24
/** One line: a bar, counts, phase. */
export function progressLine(title: string, { done, total, phase }: JobResource['progress']): string {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const filled = Math.round(share * width)
  return `${title} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total} ${phase}`
}

/**
 * Asks again until the job has ended: soon at first, then up to once a second; a service that is away is waited for.
 * Rejects with a Failure that says why, where the job failed or was cancelled. Ctrl-C stops watching, not the job.
 */
export async function watch<T extends JobResource>(
  { title, first, get, later, remedy }: Watched<T>,
  terminal: Terminal,
  signal: AbortSignal,
  patienceMs?: number,
): Promise<T> {
  const waiting = { what: `${title} ${first.id}`, later, terminal, signal, ...(patienceMs !== undefined && { patienceMs }) }
  let job = first
  for (let wait = 100; job.status === 'queued' || job.status === 'running'; wait = Math.min(1000, wait * 1.3)) {
    terminal.progress(progressLine(title, job.progress))
    await pause(wait, waiting)
    job = await patiently(get, waiting)
  }
  if (job.status !== 'succeeded')
    throw new Failure(`${title} ${job.id} ${job.status}${job.error ? `: ${job.error}` : ''}${remedy ? `; go on with: ${remedy}` : ''}`)
  return job
}
