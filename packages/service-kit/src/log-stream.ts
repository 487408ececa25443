/**
 * The stream of log lines. A line that cannot be written, because the disk is full or the reader is gone,
 * never ends the process: up to a megabyte waits, the rest is dropped and counted. A log that is a file is
 * rotated while the process runs: it is copied to `.1` and emptied, because its descriptor belongs to whoever
 * started the process.
 */
import { constants, copyFileSync, fstatSync, ftruncateSync, readlinkSync, rmSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'

interface LogStreamOptions {
  /** A descriptor that appends. Default: stdout. */
  fd?: number
  /** A file with more bytes is rotated. */
  rotateBytes?: number
  /** So many bytes wait while they cannot be written. */
  waitingBytes?: number
}

let dropped = 0
/** Lines that this process has dropped. */
export const countDroppedLines = (): number => dropped

export function openLogStream({
  fd = 1,
  rotateBytes = 10e6,
  waitingBytes = 1 << 20,
}: LogStreamOptions = {}): DestinationStream {
  const stream = pino.destination({ dest: fd, sync: true, maxLength: waitingBytes })
  let size = readLogSize(fd)
  let untold = 0
  stream.on('error', () => undefined)
  stream.on('drop', () => {
    dropped++
    untold++
  })
  stream.on('write', (bytes: number) => {
    if (size === null) return
    size += bytes
    if (size > rotateBytes && rotateLog(fd)) size = 0
  })
  return {
    write(line) {
      const before = dropped
      stream.write(line)
      if (untold === 0 || dropped > before) return
      const lines = untold
      untold = 0
      const note = { level: 'warn', time: new Date().toISOString(), dropped: lines }
      stream.write(
        `${JSON.stringify({ ...note, msg: 'lines were dropped while the log could not be written' })}\n`,
      )
    },
  }
}

/** Null where it is no file. */
function readLogSize(fd: number): number | null {
  try {
    const stat = fstatSync(fd)
    return stat.isFile() ? stat.size : null
  } catch {
    return null
  }
}

/**
 * Returns whether the file was emptied. Where there is no room for a copy, what was logged before is lost.
 */
function rotateLog(fd: number): boolean {
  let path: string
  try {
    path = readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return false // Not Linux: `stateeval up` rotates at its next start.
  }
  try {
    copyFileSync(path, `${path}.1`, constants.COPYFILE_FICLONE)
  } catch {
    rmSync(`${path}.1`, { force: true })
  }
  try {
    ftruncateSync(fd)
    return true
  } catch {
    return false
  }
}
