/** What stands around every view: where one is, and who looks. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { callerQuery } from '../data/queries.ts'
import { signOut, useProject as takeProject, useSession } from '../data/session.ts'

function Who() {
  const session = useSession()
  const client = useQueryClient()
  const router = useRouter()
  const { data: caller } = useQuery(callerQuery)
  const renew = () => {
    client.clear()
    void router.invalidate()
  }
  if (session.keys.length === 0)
    return caller ? (
      <span className="who">
        {caller.project} · <Link to="/sign-in">Sign in</Link>
      </span>
    ) : (
      <Link to="/sign-in">Sign in</Link>
    )
  return (
    <span className="who">
      <label>
        Project{' '}
        <select
          value={session.project ?? ''}
          onChange={({ target }) => {
            takeProject(target.value)
            renew()
          }}
        >
          {session.keys.map(({ project }) => (
            <option key={project}>{project}</option>
          ))}
        </select>
      </label>
      <Link to="/sign-in">Add a key</Link>
      <button
        type="button"
        onClick={() => {
          signOut()
          renew()
        }}
      >
        Sign out
      </button>
    </span>
  )
}

export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const main = useRef<HTMLElement>(null)
  const before = useRef(path)
  // A reader's place is the new view, as it is after a page has loaded.
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    // Unless the view has a place of its own for it.
    if (!main.current?.contains(document.activeElement)) main.current?.focus()
  }, [path])
  return (
    <>
      <a className="skip" href="#main">
        To the content
      </a>
      <header className="top">
        <Link to="/evaluations" className="name">
          StateEval
        </Link>
        <nav aria-label="Views">
          <Link to="/evaluations" activeProps={{ 'aria-current': 'page' }}>
            Evaluations
          </Link>
          <Link to="/compare" activeProps={{ 'aria-current': 'page' }}>
            Compare
          </Link>
        </nav>
        <Who />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

/** The heading of a view, which also names the page. */
export function Heading({ children }: { children: string }) {
  return (
    <>
      <title>{`${children} · StateEval`}</title>
      <h1>{children}</h1>
    </>
  )
}
