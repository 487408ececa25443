/** HTTPS, and callers with a client certificate. */
import { readFileSync } from 'node:fs'
import type { ServerOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { ProblemError } from '@stateeval/contracts'
import type { FastifyInstance } from 'fastify'
import type { TlsConfig } from '../config.ts'
import { getErrorText } from '../errors.ts'
import { SettingsError } from '../settings.ts'

/** Throws a SettingsError that names a file that cannot be read. */
export function createHttpsOptions({ certFile, keyFile, clientCaFile }: TlsConfig): ServerOptions {
  return {
    cert: read('STATEEVAL_TLS_CERT_FILE', certFile),
    key: read('STATEEVAL_TLS_KEY_FILE', keyFile),
    // The server refuses a client without certificate later: requests for health need none.
    ...(clientCaFile !== undefined && {
      ca: read('STATEEVAL_TLS_CLIENT_CA_FILE', clientCaFile),
      requestCert: true,
      rejectUnauthorized: false,
    }),
  }
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SettingsError([`${setting}: ${getErrorText(error)}; name a file that can be read`])
  }
}

export function requireCertificates(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, url }) => {
    if ((raw.socket as TLSSocket).authorized || /^\/(health|metrics)(\/|\?|$)/.test(url)) return
    throw new ProblemError(
      'unauthenticated',
      'the request has no client certificate of a known authority; send one',
    )
  })
}
