/** A session in the contract's form. */
import type { ExecutionEnding, ToolSession } from '@stateeval/contracts'
import type { SessionView } from './sessions.ts'

export function describeSession({ session, tools, calls, end }: SessionView): ToolSession {
  const { _id, world, input, seed, createdAt } = session
  const self = `/v1/sessions/${_id}`
  return {
    id: _id,
    world,
    status: end?.kind ?? 'open',
    calls,
    createdAt: createdAt.toISOString(),
    ...(end?.kind === 'ended' && { error: describeSessionEnding(end.ending) }),
    seed,
    variables: session.shown ?? input.variables,
    tools: [...tools],
    links: { self, calls: `${self}/calls`, close: `${self}/close` },
  }
}

/** Why a session ended by itself. */
export const describeSessionEnding = (ending: ExecutionEnding): string =>
  ending.status === 'timeout'
    ? `a call took longer than ${ending.afterMs} ms`
    : ending.status === 'infrastructure'
      ? ending.reason
      : ending.status === 'killed' && ending.detail !== undefined
        ? ending.detail
        : ending.status
