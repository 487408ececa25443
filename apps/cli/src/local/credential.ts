/**
 * The key that commands send: STATEEVAL_API_KEY, or the admin key that services on this machine are started
 * with.
 */
import { checkout } from './home.ts'
import { withDotEnv } from './environment.ts'

/** The header of every request; none where no key is set, as on a laptop. */
export function authorization(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const { STATEEVAL_API_KEY, STATEEVAL_ADMIN_KEY } = withDotEnv(checkout, env)
  const key = STATEEVAL_API_KEY || STATEEVAL_ADMIN_KEY
  return key ? { authorization: `Bearer ${key}` } : {}
}
