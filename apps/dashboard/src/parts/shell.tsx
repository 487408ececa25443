/** The frame of every view: the location, and the session. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Fragment, useEffect, useRef } from 'react'
import { inFile } from 'virtual:contract'
import { aboutFile, heldByFile } from '../data/file.ts'
import { callerQuery } from '../data/queries.ts'
import { findKeyInUse, signOut, useProject as takeProject, useSession } from '../data/session.ts'
import { count, formatMoment } from '../pure/format.ts'

function Who() {
  const session = useSession()
  const client = useQueryClient()
  const router = useRouter()
  const { data: caller } = useQuery(callerQuery)
  const renew = () => {
    // Nothing of the other project stays, not even until its answer comes.
    void client.resetQueries()
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
      <Link to="/sign-in">Add a project</Link>
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

const Views = () => (
  <nav aria-label="Views">
    {(
      [
        ['/evaluations', 'Evaluations'],
        ['/compare', 'Compare'],
        ['/benchmarks', 'Benchmarks'],
        ['/operations', 'Operations'],
      ] as const
    ).map(([to, name]) => (
      <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
        {name}
      </Link>
    ))}
  </nav>
)

/** Shows which samples the file holds, and since when. */
function Saved() {
  const about = useQuery({ queryKey: ['file'], queryFn: aboutFile, staleTime: Infinity }).data
  const held = useQuery({ queryKey: ['held'], queryFn: heldByFile, staleTime: Infinity }).data
  if (!about || !held) return null
  const which = about.samples === 'failed' ? 'failed samples' : 'samples'
  return (
    <span className="who">
      Saved {formatMoment(about.madeAt)}, with the evidence of {count(held.held)} {which}
      {held.held < held.of && ` of ${count(held.of)}; the others did not fit`}
    </span>
  )
}

export function Shell() {
  const session = useSession()
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
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The fragment may be the address of the view.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        To the content
      </a>
      <header className="top">
        <Link to="/" className="name">
          StateEval
        </Link>
        {inFile ? (
          <Saved />
        ) : (
          <>
            <Views />
            <Who />
          </>
        )}
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {/* Another project is another page: its streams end, and its queries begin anew. */}
        <Fragment key={path === '/sign-in' ? path : findKeyInUse(session)}>
          <Outlet />
        </Fragment>
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
