/**
 * Decides what a connection does next, from what it has begun and what has ended so far. Pure: the client's
 * `connect` and `close` may take any time and end in any order.
 *
 * Three rules hold in any order. Nothing is connected while the client is being closed. A connection counts
 * only if nothing was closed since it was begun: a `close` that ends late undoes what a `connect` in between
 * has made. A stop ends with a `close` after which nothing was connected.
 */
export interface ConnectionState {
  /** The client has a connection, as far as anybody knows. */
  readonly isOpen: boolean
  /** stale: a `close` was begun since, so its outcome says nothing. */
  readonly connecting: 'no' | 'yes' | 'stale'
  readonly isClosing: boolean
  /** Between two attempts. */
  readonly isWaiting: boolean
  readonly isStopping: boolean
  /** True if there may be a connection after which no `close` was begun. */
  readonly isLeft: boolean
}
/** hung: the client’s own watch over its server does not end. */
export type ConnectionEvent = 'connected' | 'failed' | 'closed' | 'waited' | 'hung' | 'stop'
export type ConnectionAction = 'connect' | 'close' | 'wait'

export const unconnected: ConnectionState = {
  isOpen: false,
  connecting: 'no',
  isClosing: false,
  isWaiting: false,
  isStopping: false,
  isLeft: false,
}

/** Tells whether a stop is complete. */
export const isOver = ({ isStopping, isClosing, connecting, isLeft }: ConnectionState): boolean =>
  isStopping && !isClosing && connecting === 'no' && !isLeft

/** The state after an event, and what to begin now. */
export function advanceConnection(
  state: ConnectionState,
  event: ConnectionEvent,
): { state: ConnectionState; action: ConnectionAction | null } {
  switch (event) {
    case 'connected':
      return beginAttempt({ ...state, isOpen: state.connecting === 'yes', connecting: 'no' })
    case 'failed':
      if (state.connecting !== 'yes' || state.isStopping) return beginAttempt({ ...state, connecting: 'no' })
      return { state: { ...state, connecting: 'no', isWaiting: true }, action: 'wait' }
    case 'waited':
      return beginAttempt({ ...state, isWaiting: false })
    case 'closed':
      return beginAttempt({ ...state, isClosing: false })
    case 'hung':
      return state.isClosing ? { state, action: null } : close(state)
    case 'stop': {
      const stopping = { ...state, isStopping: true }
      // At once: it ends what is being connected.
      return state.isClosing ? { state: stopping, action: null } : close(stopping)
    }
  }
}

/** Begins the first attempt, or the next. */
export function beginAttempt(state: ConnectionState): {
  state: ConnectionState
  action: ConnectionAction | null
} {
  if (state.isClosing || state.connecting !== 'no') return { state, action: null }
  if (state.isStopping) return state.isLeft ? close(state) : { state, action: null }
  if (state.isOpen || state.isWaiting) return { state, action: null }
  return { state: { ...state, connecting: 'yes', isLeft: true }, action: 'connect' }
}

function close(state: ConnectionState): { state: ConnectionState; action: ConnectionAction } {
  const connecting = state.connecting === 'no' ? 'no' : 'stale'
  return {
    state: { ...state, isOpen: false, isClosing: true, connecting, isLeft: connecting === 'stale' },
    action: 'close',
  }
}
