/** The status of work: a word, and a mark that does not depend on colour. */
import type { JobStatus } from '@stateeval/contracts'

const marks: Record<JobStatus, string> = {
  queued: '○',
  running: '◐',
  succeeded: '●',
  failed: '✕',
  cancelled: '◼',
}

export const Status = ({ status }: { status: JobStatus }) => (
  <span className={`status ${status}`}>
    <span aria-hidden="true">{marks[status]}</span> {status}
  </span>
)
