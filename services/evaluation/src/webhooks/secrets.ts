/**
 * Secrets of webhooks. Signing needs the secret, so a hash is not enough. It is stored encrypted
 * (AES-256-GCM) with the installation's key, bound to its project and webhook, and read only for signing.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { inProjectName } from '@stateeval/service-kit'
import type { InstallationKey } from '../installation-key.ts'

const cipher = 'aes-256-gcm'
const prefix = 'whsec_'
const nonceBytes = 12
const tagBytes = 16

/** 256 random bits, in the form of Standard Webhooks. */
export const newSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

export interface SecretBox {
  seal(secret: string, webhook: string): Promise<string>
  /** null where this installation or this webhook is not the one that it was sealed for. */
  open(sealed: string, webhook: string): Promise<string | null>
}

export const secretBoxWith = (key: InstallationKey): SecretBox => ({
  async seal(secret, webhook) {
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, await key(), nonce).setAAD(Buffer.from(inProjectName(webhook)))
    const sealed = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64')
  },
  async open(text, webhook) {
    const bytes = Buffer.from(text, 'base64')
    const tagEnd = nonceBytes + tagBytes
    if (bytes.length <= tagEnd) return null
    const opening = createDecipheriv(cipher, await key(), bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(inProjectName(webhook)))
      .setAuthTag(bytes.subarray(nonceBytes, tagEnd))
    try {
      return Buffer.concat([opening.update(bytes.subarray(tagEnd)), opening.final()]).toString('utf8')
    } catch {
      return null
    }
  },
})

export interface SignedParts {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The header `webhook-signature`: one signature per secret, by version 1 of Standard Webhooks. */
export const signaturesOf = (secrets: readonly string[], { id, timestamp, body }: SignedParts): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
