/** Watches a job resource until it ends, with a line of progress. */
import { setTimeout as delay } from 'node:timers/promises'
import type { JobStatus } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export interface JobResource {
  id: string
  status: JobStatus
  progress: { done: number; total: number; phase: string }
  error?: string
}

const width = 24
/** One line: a bar, counts, phase. */
export function progressLine(title: string, { done, total, phase }: JobResource['progress']): string {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const filled = Math.round(share * width)
  return `${title} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total} ${phase}`
}

/**
 * Asks again until the job has ended: soon at first, then up to once a second.
 * Rejects with a Failure that says why, where the job failed or was cancelled. Ctrl-C stops watching, not the job.
 */
export async function watch<T extends JobResource>(
  title: string,
  first: T,
  get: () => Promise<T>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<T> {
  let job = first
  for (let wait = 100; job.status === 'queued' || job.status === 'running'; wait = Math.min(1000, wait * 1.3)) {
    terminal.progress(progressLine(title, job.progress))
    try {
      await delay(wait, undefined, { signal })
    } catch {
      throw new Failure(`stopped watching; ${title} ${job.id} goes on in the service`)
    }
    job = await get()
  }
  if (job.status !== 'succeeded') throw new Failure(`${title} ${job.id} ${job.status}${job.error ? `: ${job.error}` : ''}`)
  return job
}
