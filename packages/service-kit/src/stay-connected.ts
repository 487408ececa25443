/** Keeps a MongoDB client connected while its server starts, stops, hangs and restarts. */
import {
  advanceConnection,
  type ConnectionAction,
  type ConnectionEvent,
  beginAttempt,
  isOver,
  unconnected,
} from './connection-state.ts'
import { waitAtMost } from './time.ts'

/**
 * Three times what a heartbeat takes at most: with streaming, connectTimeoutMS (10 s) and the time between
 * two (10 s), after which the driver ends it by itself.
 */
const hungHeartbeatMs = 60_000
/** Looks at heartbeats within that time. A process that was stopped itself makes up for none of them. */
const looks = 12
const betweenAttemptsMs = 500
const longestStopMs = 5000

/** The used part of a client. */
export interface ConnectableClient {
  connect(): Promise<unknown>
  close(): Promise<unknown>
  on(event: HeartbeatEvent, listener: HeartbeatListener): ConnectableClient
  off(event: HeartbeatEvent, listener: HeartbeatListener): ConnectableClient
}
type HeartbeatListener = (event: { address: string }) => void
type HeartbeatEvent = (typeof ends)[number] | 'serverHeartbeatStarted'
const ends = ['serverHeartbeatSucceeded', 'serverHeartbeatFailed', 'serverClosed'] as const

/**
 * Connects, and continues to try: a client whose first connection failed stays closed until it is told to
 * connect again.
 *
 * Then it watches the driver's own watch. Where a server is killed at the wrong moment, a heartbeat of
 * mongodb 7.9 may never end, neither well nor badly (seen once in some dozen kills of the embedded server);
 * only the next one would find the server again, so the client would stay cut off for ever. It is closed and
 * connected anew; databases and collections stay as they are.
 *
 * Returns what ends all that and closes the client for good.
 */
export function keepConnected(
  client: ConnectableClient,
  { hungMs = hungHeartbeatMs, waitMs = betweenAttemptsMs }: { hungMs?: number; waitMs?: number } = {},
): () => Promise<void> {
  const over = Promise.withResolvers<void>()
  let state = unconnected
  let timer: NodeJS.Timeout | undefined

  const begin = (action: ConnectionAction | null) => {
    if (action === 'wait') timer = setTimeout(() => tell('waited'), waitMs)
    else if (action === 'connect')
      client.connect().then(
        () => tell('connected'),
        () => tell('failed'),
      )
    else if (action === 'close') {
      beats.clear()
      client.close().then(
        () => tell('closed'),
        () => tell('closed'),
      )
    }
  }
  const tell = (event: ConnectionEvent) => {
    const next = advanceConnection(state, event)
    state = next.state
    begin(next.action)
    if (isOver(state)) over.resolve()
  }

  /** How often each server's present heartbeat was looked at. */
  const beats = new Map<string, number>()
  const begun: HeartbeatListener = ({ address }) => void beats.set(address, 0)
  const ended: HeartbeatListener = ({ address }) => void beats.delete(address)
  const watch = setInterval(() => {
    for (const [address, count] of beats) beats.set(address, count + 1)
    if ([...beats.values()].some((count) => count > looks)) tell('hung')
  }, hungMs / looks).unref()
  client.on('serverHeartbeatStarted', begun)
  for (const end of ends) client.on(end, ended)

  const first = beginAttempt(state)
  state = first.state
  begin(first.action)
  return async () => {
    clearTimeout(timer)
    clearInterval(watch)
    client.off('serverHeartbeatStarted', begun)
    for (const end of ends) client.off(end, ended)
    tell('stop')
    await waitAtMost(longestStopMs, over.promise)
  }
}
