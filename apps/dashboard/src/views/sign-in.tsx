/** Enters a key. It stays in this tab, and is sent only to the service, in a header. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiWith } from '../data/api.ts'
import { signIn } from '../data/session.ts'
import { Heading } from '../parts/shell.tsx'
import { Failure } from '../parts/states.tsx'

export function SignIn() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const enter = async (form: FormData) => {
    const key = (form.get('key') as string).trim()
    try {
      const { project, subject } = await apiWith(key).getCaller()
      signIn({ key, project, subject })
      client.clear()
      await navigate({ to: '/evaluations' })
    } catch (refusal) {
      setError(refusal)
    }
  }
  return (
    <>
      <Heading>Sign in</Heading>
      <form
        className="narrow"
        onSubmit={(event) => {
          event.preventDefault()
          void enter(new FormData(event.currentTarget))
        }}
      >
        <p>
          An API key (<code>npx stateeval keys create</code>) says who you are and which project you see. It
          is kept in this tab until you sign out or close it. Enter keys of several projects one after the
          other to switch between them.
        </p>
        <label>
          API key
          <input name="key" type="password" autoComplete="off" required spellCheck={false} />
        </label>
        <button type="submit" className="primary">
          Sign in
        </button>
        {error !== undefined && <Failure error={error} />}
      </form>
    </>
  )
}
