/** Sign-in at the provider, or by a key. Both stay in this tab and go to the service only, in a header. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { createApi } from '../data/api.ts'
import { completeSignIn, openProvider, hasArrived, signInOffer } from '../data/provider.ts'
import { signIn, type SignedIn } from '../data/session.ts'
import { Heading } from '../parts/shell.tsx'
import { Failure, Loading } from '../parts/states.tsx'

const route = getRouteApi('/sign-in')
const home = '/evaluations'

export function SignIn() {
  const { back = home } = route.useSearch()
  const client = useQueryClient()
  const router = useRouter()
  const enter = (signedIn: SignedIn, to: string) => {
    signIn(signedIn)
    void client.resetQueries()
    router.history.replace(to)
  }
  const [returning] = useState(hasArrived)
  const complete = useMutation({
    mutationFn: completeSignIn,
    onSuccess: ({ signedIn, back: to }) => enter(signedIn, to),
  })
  const begun = useRef(false)
  useEffect(() => {
    if (!returning || begun.current) return
    begun.current = true
    complete.mutate()
  })
  return (
    <>
      <Heading>Sign in</Heading>
      {returning && !complete.error ? (
        <Loading what="your account" />
      ) : (
        <>
          {complete.error && <Failure error={complete.error} />}
          <Provider back={back} />
          <Key onSignIn={(signedIn) => enter(signedIn, back)} />
        </>
      )}
    </>
  )
}

function Provider({ back }: { back: string }) {
  const offer = useQuery({ queryKey: ['sign-in'], queryFn: signInOffer, staleTime: Infinity, retry: false })
  const go = useMutation({ mutationFn: (to: NonNullable<typeof offer.data>) => openProvider(to, back) })
  const error = offer.error ?? go.error
  const { data } = offer
  return (
    <>
      {data && (
        <p>
          <button
            type="button"
            className="primary"
            disabled={go.isPending || go.isSuccess}
            onClick={() => go.mutate(data)}
          >
            Sign in at {URL.parse(data.issuer)?.host ?? data.issuer}
          </button>
        </p>
      )}
      {error && <Failure error={error} />}
    </>
  )
}

function Key({ onSignIn }: { onSignIn: (signedIn: SignedIn) => void }) {
  const enter = useMutation({
    mutationFn: async (key: string) => ({ key, ...(await createApi(key).getCaller()) }),
    onSuccess: ({ key, project, subject }) => onSignIn({ key, project, subject }),
  })
  return (
    <form
      className="narrow"
      onSubmit={(event) => {
        event.preventDefault()
        enter.mutate((new FormData(event.currentTarget).get('key') as string).trim())
      }}
    >
      <p>
        An API key (<code>npx stateeval keys create</code>) identifies you and selects a project. It is kept
        in this tab until you sign out or close it. To switch between projects, enter a key of each.
      </p>
      <label>
        API key
        <input name="key" type="password" autoComplete="off" required spellCheck={false} />
      </label>
      <button type="submit" className="primary">
        Sign in
      </button>
      {enter.error && <Failure error={enter.error} />}
    </form>
  )
}
