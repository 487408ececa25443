/** The key that commands send: STATEEVAL_API_KEY, or the admin key of the services on this machine. */
import { checkout } from './home.ts'
import { withDotEnv } from './environment.ts'

/** The header of every request; undefined without a key, as on a laptop. */
export function readAuthorization(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const { STATEEVAL_API_KEY, STATEEVAL_ADMIN_KEY } = withDotEnv(checkout, env)
  const key = STATEEVAL_API_KEY || STATEEVAL_ADMIN_KEY
  return key ? { authorization: `Bearer ${key}` } : {}
}
