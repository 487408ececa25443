/**
 * The surroundings of a run in any jail: bounds, watchdog, the caller’s abort, and the run’s connections.
 */
import { JailConnections, type IdleUsage, type JailProcess, type ProcessUsage, watch } from '@stateeval/jail'
import type { CellJob, KillReason } from '../cell.ts'
import { CallChannel } from '../calls/calls.ts'
import { computeExchangedBytes } from '../limits.ts'

/** How long connections may take to be read to their end after the code ended, in milliseconds. */
const graceMs = 5000

interface CellSurroundings {
  connections: JailConnections
  calls: CallChannel | undefined
  /** The address of its world; null without HTTP. */
  baseUrl: string | null
  /**
   * Takes it all away, once the code has ended; gives the CPU time that was seen. A run that was killed gets
   * no grace.
   */
  end: (killed: KillReason | undefined) => Promise<number>
}

/** Usage of a jail that holds more than the program. */
interface UsageBeside {
  /** Usage of the jail before it ran anything. */
  idle: IdleUsage | undefined
  /** The usage at this moment, where that is known. */
  before?: ProcessUsage | undefined
  /** Reads the program's usage; by default that of everything in the jail. */
  look?: () => ProcessUsage
}

export function surroundJob(
  jail: JailProcess,
  { limits, accept, handle, signal }: Omit<CellJob, 'job'>,
  kill: (reason: KillReason) => void,
  { idle, before, look }: UsageBeside,
): CellSurroundings {
  const connections = new JailConnections(
    { connections: limits.requests, bytes: computeExchangedBytes(limits) },
    accept,
    () => kill('requests'),
  )
  const calls = handle && new CallChannel(limits, handle, jail.frames, kill)
  jail.confine(limits, before)
  const watchdog = watch(jail.pid!, limits, kill, idle, look ?? (() => jail.usage()), before)
  const abort = () => kill('aborted')
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return {
    connections,
    calls,
    baseUrl: accept ? `http://127.0.0.1:${jail.port}` : null,
    async end(killed) {
      watchdog.stop()
      signal.removeEventListener('abort', abort)
      await Promise.all([connections.close(killed ? 0 : graceMs), calls?.close(graceMs)])
      return Math.max(watchdog.cpuMs(), look ? 0 : jail.cpuMs())
    },
  }
}
