/**
 * A service's credentials for NATS, and its check of the server. Files are read for each connection, so
 * they can be replaced.
 */
import { readFileSync } from 'node:fs'
import { type Authenticator, type ConnectionOptions, credsAuthenticator, nkeyAuthenticator } from 'nats'
import type { NatsConfig } from '../config.ts'

type Credentials = Pick<
  ConnectionOptions,
  'servers' | 'user' | 'pass' | 'authenticator' | 'tls' | 'inboxPrefix'
>

/** The prefix of a service's inboxes; other services may not subscribe to it. */
export const inboxOf = (service: string) => `_INBOX.${service}`

/** Throws if a file cannot be read. `service`: the default user name with a password. */
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
