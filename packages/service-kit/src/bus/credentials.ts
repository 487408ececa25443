/**
 * How a service shows NATS who it is, and how it knows NATS. Files are read at each connection, so that they
 * can be replaced.
 */
import { readFileSync } from 'node:fs'
import { type Authenticator, type ConnectionOptions, credsAuthenticator, nkeyAuthenticator } from 'nats'
import type { NatsConfig } from '../config.ts'

type Credentials = Pick<
  ConnectionOptions,
  'servers' | 'user' | 'pass' | 'authenticator' | 'tls' | 'inboxPrefix'
>

/** Where a service gets its answers: no other one may listen there. */
export const inboxOf = (service: string) => `_INBOX.${service}`

/** Throws where a file can't be read. `service`: the user’s name where there is a password and no other. */
export function credentialsOf(config: NatsConfig, service: string): Credentials {
  const urls = config.url.split(',').map((server) => new URL(server.trim()))
  const named = urls.find(({ username }) => username !== '')
  const password = config.password ?? (named && decodeURIComponent(named.password))
  const user =
    config.user ?? (named && decodeURIComponent(named.username)) ?? (password ? service : undefined)
  const { caFile, certFile, keyFile } = config
  const tls = caFile || certFile || urls.some(({ protocol }) => protocol === 'tls:')
  const authenticator = authenticatorOf(config)
  return {
    servers: urls.map(({ host }) => host),
    inboxPrefix: inboxOf(service),
    ...(user !== undefined && { user, pass: password ?? '' }),
    ...(authenticator && { authenticator }),
    ...(tls && {
      tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) },
    }),
  }
}

function authenticatorOf({ credentialsFile, nkeyFile }: NatsConfig): Authenticator | undefined {
  if (credentialsFile !== undefined)
    return (nonce) => credsAuthenticator(readFileSync(credentialsFile))(nonce)
  if (nkeyFile !== undefined)
    return (nonce) => nkeyAuthenticator(Buffer.from(readFileSync(nkeyFile, 'utf8').trim()))(nonce)
  return undefined
}
