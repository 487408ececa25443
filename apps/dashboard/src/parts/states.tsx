/** What a view shows while data come, where there are none, and where they can't be had. */
import { ServiceError } from '@stateeval/client'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export const Loading = ({ what }: { what: string }) => (
  <p className="loading" role="status">
    Loading {what} …
  </p>
)

/** Holds the room that the code will take, which scrolls from some height on. */
export const CodeLoading = ({ code }: { code: string }) => (
  <div className="code" style={{ height: `min(34rem, ${code.split('\n').length * 1.4 * 13 + 8}px)` }}>
    <Loading what="the code" />
  </div>
)

export function Failure({ error }: { error: unknown }) {
  const text = error instanceof Error ? error.message : String(error)
  const refused = error instanceof ServiceError && [401, 403].includes(error.problem.status)
  return (
    <div className="failure" role="alert">
      <p>{text}</p>
      {refused && (
        <p>
          <Link to="/sign-in">Sign in with a key</Link>
        </p>
      )}
    </div>
  )
}

interface Answer<T> {
  data: T | undefined
  error: unknown
}
/** What comes of a query: its data, else why there are none yet. Old data stay while new ones come. */
export function Loaded<T>({
  of: { data, error },
  what,
  children,
}: {
  of: Answer<T>
  what: string
  children: (data: T) => ReactNode
}) {
  if (data !== undefined) return children(data)
  return error ? <Failure error={error} /> : <Loading what={what} />
}
