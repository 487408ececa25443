/**
 * Secrets of webhooks. Signing needs the secret, so a hash is not enough. It is stored in a secret box, and
 * read only for signing.
 */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** 256 random bits, in the form of Standard Webhooks. */
export const drawSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

interface SignedParts {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The header `webhook-signature`: one signature per secret, by version 1 of Standard Webhooks. */
export const signPayload = (secrets: readonly string[], { id, timestamp, body }: SignedParts): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
