/**
 * Credentials for NATS of a service or a command, and their check of the server. Files are read for each
 * connection, so they can be replaced.
 */
import { readFileSync } from 'node:fs'
import { type Authenticator, type ConnectionOptions, credsAuthenticator, nkeyAuthenticator } from 'nats'
import { SettingsError } from '../settings.ts'

export interface NatsConfig {
  readonly url: string
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly credentialsFile?: string | undefined
  readonly nkeyFile?: string | undefined
  readonly caFile?: string | undefined
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
}
/** The settings of a connection to NATS, by the names that they have in the environment. */
export interface NatsSettings {
  readonly NATS_URL: string
  readonly NATS_USER?: string | undefined
  readonly NATS_PASSWORD?: string | undefined
  readonly NATS_CREDENTIALS_FILE?: string | undefined
  readonly NATS_NKEY_FILE?: string | undefined
  readonly NATS_CA_FILE?: string | undefined
  readonly NATS_CERT_FILE?: string | undefined
  readonly NATS_KEY_FILE?: string | undefined
}
type NatsCredentials = Pick<
  ConnectionOptions,
  'servers' | 'user' | 'pass' | 'authenticator' | 'tls' | 'inboxPrefix'
>

/** The prefix of a service's inboxes; other services may not subscribe to it. */
export const formatInbox = (service: string) => `_INBOX.${service}`

/**
 * Empty settings count as not set.
 * @throws SettingsError if an address cannot be read; it may hold a password, so it is not repeated
 */
export function readNatsConfig(settings: NatsSettings): NatsConfig {
  const { NATS_URL: url } = settings
  if (!url.split(',').every((address) => URL.canParse(address.trim())))
    throw new SettingsError([
      'NATS_URL: an address is not valid; write nats://user:password@host:4222, and percent-encode special characters of the password',
    ])
  return {
    url,
    user: settings.NATS_USER || undefined,
    password: settings.NATS_PASSWORD || undefined,
    credentialsFile: settings.NATS_CREDENTIALS_FILE || undefined,
    nkeyFile: settings.NATS_NKEY_FILE || undefined,
    caFile: settings.NATS_CA_FILE || undefined,
    certFile: settings.NATS_CERT_FILE || undefined,
    keyFile: settings.NATS_KEY_FILE || undefined,
  }
}

/** Throws if a file cannot be read. `service`: the default user name with a password. */
export function readCredentials(config: NatsConfig, service: string): NatsCredentials {
  const urls = config.url.split(',').map((server) => new URL(server.trim()))
  const named = urls.find(({ username }) => username !== '')
  const password = config.password ?? (named && decodeURIComponent(named.password))
  const user =
    config.user ?? (named && decodeURIComponent(named.username)) ?? (password ? service : undefined)
  const { caFile, certFile, keyFile } = config
  const tls = caFile || certFile || urls.some(({ protocol }) => protocol === 'tls:')
  const authenticator = createNatsAuthenticator(config)
  return {
    servers: urls.map(({ host }) => host),
    inboxPrefix: formatInbox(service),
    ...(user !== undefined && { user, pass: password ?? '' }),
    ...(authenticator && { authenticator }),
    ...(tls && {
      tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) },
    }),
  }
}

/** Tells whether a process shows who it is, so that NATS may give it fewer rights than others. */
export const isUser = (config: NatsConfig): boolean =>
  [config.user, config.password, config.credentialsFile, config.nkeyFile].some((one) => one !== undefined) ||
  config.url.split(',').some((server) => new URL(server.trim()).username !== '')

function createNatsAuthenticator({ credentialsFile, nkeyFile }: NatsConfig): Authenticator | undefined {
  if (credentialsFile !== undefined)
    return (nonce) => credsAuthenticator(readFileSync(credentialsFile))(nonce)
  if (nkeyFile !== undefined)
    return (nonce) => nkeyAuthenticator(Buffer.from(readFileSync(nkeyFile, 'utf8').trim()))(nonce)
  return undefined
}
