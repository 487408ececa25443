/** The states of a view while data load, without data, and after an error. */
import { ServiceError } from '@stateeval/client'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export const Loading = ({ what }: { what: string }) => (
  <p className="loading" role="status">
    Loading {what} …
  </p>
)

/** Reserves the space of the code, which scrolls above some height. */
export const CodeLoading = ({ code }: { code: string }) => (
  <div className="code" style={{ height: `min(34rem, ${code.split('\n').length * 1.4 * 13 + 8}px)` }}>
    <Loading what="the code" />
  </div>
)

export function Failure({ error }: { error: unknown }) {
  const text = error instanceof Error ? error.message : String(error)
  const back = useRouterState({ select: ({ location }) => location.href })
  const refused = error instanceof ServiceError && [401, 403].includes(error.problem.status)
  return (
    <div className="failure" role="alert">
      <p>{text}</p>
      {refused && (
        <p>
          <Link to="/sign-in" search={{ back }}>
            Sign in
          </Link>
        </p>
      )}
    </div>
  )
}

interface QueryAnswer<T> {
  data: T | undefined
  error: unknown
}
/**
 * The data of a query, or why there are none yet. Old data stay visible while new ones load, and below the
 * reason why new ones did not come.
 */
export function Loaded<T>({
  of: { data, error },
  what,
  children,
}: {
  of: QueryAnswer<T>
  what: string
  children: (data: T) => ReactNode
}) {
  if (data === undefined) return error ? <Failure error={error} /> : <Loading what={what} />
  return (
    <>
      {error ? (
        <>
          <Failure error={error} />
          <p className="explains">What follows is from before this error.</p>
        </>
      ) : null}
      {children(data)}
    </>
  )
}
