/** Keeps a MongoDB client connected while its server starts, stops and restarts. */
import { atMost, pause } from './time.ts'

/** Well over connectTimeoutMS, after which the driver ends a heartbeat by itself. */
const heartbeatMs = 20_000

/** The used part of a client. */
export interface Connectable {
  connect(): Promise<unknown>
  close(): Promise<unknown>
  on(event: HeartbeatEvent, listener: () => void): Connectable
  off(event: HeartbeatEvent, listener: () => void): Connectable
}
type HeartbeatEvent = 'serverHeartbeatStarted' | 'serverHeartbeatSucceeded' | 'serverHeartbeatFailed'

/**
 * Connects, and goes on trying: a client whose first connection failed stays closed until it is told to
 * connect again.
 *
 * Then it watches the driver's own watch. Where a server is killed at the wrong moment, a heartbeat of
 * mongodb 7.9 may never end, neither well nor badly (seen once in some dozen kills of the embedded server);
 * only the next one would find the server again, so the client would stay cut off for ever. It is closed and
 * connected anew; databases and collections stay as they are.
 *
 * Gives what ends all that and closes the client for good.
 */
export function stayConnected(
  client: Connectable,
  { hungMs = heartbeatMs }: { hungMs?: number } = {},
): () => Promise<void> {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const ended = () => clearTimeout(timer)
  const begun = () => {
    ended()
    timer = setTimeout(() => void (connecting = reconnect()), hungMs).unref()
  }
  const connect = async () => {
    while (!stopping.signal.aborted) {
      const connected = await client.connect().then(
        () => true,
        () => false,
      )
      if (connected) return
      await pause(500, stopping.signal)
    }
  }
  const reconnect = async () => {
    await atMost(
      5000,
      client.close().catch(() => undefined),
    )
    await connect()
  }
  client
    .on('serverHeartbeatStarted', begun)
    .on('serverHeartbeatSucceeded', ended)
    .on('serverHeartbeatFailed', ended)
  let connecting = connect()
  return async () => {
    stopping.abort()
    ended()
    client
      .off('serverHeartbeatStarted', begun)
      .off('serverHeartbeatSucceeded', ended)
      .off('serverHeartbeatFailed', ended)
    // What is being connected ends no sooner than the client is closed.
    await client.close()
    await atMost(5000, connecting)
  }
}
