/**
 * A connection to NATS that is made in the background, and made again for ever. It counts as connected once
 * the streams of the namespace are in place.
 */
import { ProblemError } from '@stateeval/contracts'
import { connect, Events, type JetStreamClient, type NatsConnection } from 'nats'
import { createBackOff } from '../back-off.ts'
import { getErrorText } from '../errors.ts'
import type { ServiceLog } from '../log.ts'
import { waitForAbort, waitAtMost, pauseUnlessAborted } from '../time.ts'
import { readCredentials, type NatsConfig } from './credentials.ts'
import type { BusNames } from './names.ts'
import { ensureStreams } from './streams.ts'

/** For each request to the broker, in milliseconds. */
export const requestTimeoutMs = 2000
/** For what is still to be sent when a service stops, in milliseconds. */
const longestDrainMs = 5000

export const createAwayError = (detail = 'NATS cannot be reached; try again in a moment') =>
  new ProblemError('unavailable', detail)

export interface BusConnection {
  readonly connected: boolean
  /** The client; throws a problem 'unavailable' while the broker is away. */
  client(): NatsConnection
  /** Its streams; throws a problem 'unavailable' while the broker is away. */
  jetStream(): JetStreamClient
  /** Resolves when it is connected, or once the signal is aborted. */
  ready(signal?: AbortSignal): Promise<void>
  /** The client once it is connected, and what fires when it drops; null once `signal` is aborted. */
  live(signal: AbortSignal): Promise<{ nc: NatsConnection; dropSignal: AbortSignal } | null>
  /** Calls back with the present client, unless it is closed, and with each later one when it is made. */
  onClient(listen: (client: NatsConnection) => void): void
  /** Fires when `close` is called. */
  closing: AbortSignal
  close(): Promise<void>
}

interface ConnectionOptions {
  nats: NatsConfig
  namespace: string
  names: BusNames
  /** Name of the service, shown in the broker's list of connections. */
  name: string
  log: ServiceLog
  /** After so long without a connection another one is made, in milliseconds. */
  hungMs: number
}

export function openConnection({
  nats,
  namespace,
  names,
  name,
  log,
  hungMs,
}: ConnectionOptions): BusConnection {
  const closing = new AbortController()
  const listeners: ((client: NatsConnection) => void)[] = []
  let nc: NatsConnection | undefined
  let stream: JetStreamClient | undefined
  let connected = false
  let nextConnection = Promise.withResolvers<void>()
  let drops = new AbortController()

  const waitsFor = (what: string) =>
    createBackOff({ longestMs: 2000, report: (trouble) => log.warn(trouble, what) })
  const unready = waitsFor('the streams are not ready yet')
  const unreachable = waitsFor('NATS cannot be reached yet')

  const up = async (connection: NatsConnection) => {
    // A look that began before a drop proves nothing: the next connection looks again.
    const { signal: dropSignal } = drops
    // The broker may come back empty, or before JetStream does.
    while (!closing.signal.aborted && !connection.isClosed() && !dropSignal.aborted) {
      try {
        const manager = await connection.jetstreamManager({ timeout: requestTimeoutMs })
        await ensureStreams(manager, namespace, names)
        if (dropSignal.aborted) return
        connected = true
        unready.over()
        nextConnection.resolve()
        return
      } catch (error) {
        await unready.met(getErrorText(error), closing.signal)
      }
    }
  }
  const down = () => {
    if (connected) nextConnection = Promise.withResolvers<void>()
    connected = false
    drops.abort()
    drops = new AbortController()
  }
  const follow = async (connection: NatsConnection) => {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        log.warn('NATS is away')
        down()
      } else if (status.type === Events.Reconnect) {
        log.info('NATS is back')
        void up(connection)
      } else if (status.type === Events.Error) {
        // Mostly a right that the service's user lacks (deploy/nats).
        log.error(
          { reason: String(status.data), refused: status.permissionContext },
          'NATS refused a request',
        )
      }
    }
  }
  /**
   * nats.js 2.29 does not dial again where a connection breaks in the very moment of its reconnection (seen
   * when a server was killed behind a proxy): it would be cut off for ever. A connection that was away for
   * long is given up, and another one is made.
   */
  const watch = async (connection: NatsConnection) => {
    let connectedAt = performance.now()
    while (!connection.isClosed() && !closing.signal.aborted) {
      await pauseUnlessAborted(hungMs / 4, closing.signal)
      if (connected) connectedAt = performance.now()
      else if (performance.now() - connectedAt > hungMs) {
        log.warn('NATS was unavailable for long; reconnecting')
        return void (await connection.close().catch(() => undefined))
      }
    }
  }
  const start = async () => {
    while (!closing.signal.aborted) {
      try {
        const connection = await connect({
          ...readCredentials(nats, name),
          name,
          maxReconnectAttempts: -1,
          reconnectTimeWait: 250,
          reconnectJitter: 100,
          timeout: 3000,
          pingInterval: 5000,
          maxPingOut: 2,
          // An error made with each request beforehand, to tell where it came from.
          noAsyncTraces: true,
        })
        if (closing.signal.aborted) return void (await connection.close())
        unreachable.over()
        nc = connection
        stream = connection.jetstream({ timeout: requestTimeoutMs })
        for (const listen of listeners) listen(connection)
        void follow(connection)
        void watch(connection)
        await up(connection)
        // Only an authentication error or our own close ends a connection for good.
        const connectionError = await connection.closed()
        down()
        if (connectionError) log.error({ reason: connectionError.message }, 'NATS closed the connection')
      } catch (error) {
        await unreachable.met(getErrorText(error), closing.signal)
        continue
      }
      await pauseUnlessAborted(500, closing.signal)
    }
  }
  const startup = start()

  const ready = async (signal: AbortSignal) => {
    while (!connected && !signal.aborted) await Promise.race([nextConnection.promise, waitForAbort(signal)])
  }

  return {
    get connected() {
      return connected
    },
    client() {
      if (!nc || !connected) throw createAwayError()
      return nc
    },
    jetStream() {
      if (!stream || !connected) throw createAwayError()
      return stream
    },
    ready: (signal) => ready(AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])),
    async live(signal) {
      await ready(signal)
      return nc && !signal.aborted ? { nc, dropSignal: drops.signal } : null
    },
    onClient(listen) {
      listeners.push(listen)
      if (nc && !nc.isClosed()) listen(nc)
    },
    closing: closing.signal,
    async close() {
      closing.abort()
      // A broker that does not answer is not waited for.
      await waitAtMost(longestDrainMs, nc?.drain().catch(() => undefined) ?? Promise.resolve())
      await nc?.close().catch(() => undefined)
      await startup
    },
  }
}
