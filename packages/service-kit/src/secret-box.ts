/**
 * Encrypts (AES-256-GCM) with a key of the installation what is read only for a purpose. What is sealed is
 * bound to its project and name, so it opens nowhere else.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { qualifyName } from './access/project.ts'
import type { InstallationKey } from './installation-key.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export interface SecretBox {
  sealBytes(bytes: Uint8Array, name: string): Promise<Buffer>
  /** null where this installation, project or name is not the one that it was sealed for. */
  openBytes(sealed: Uint8Array, name: string): Promise<Buffer | null>
  /** The same for text, sealed as base64. */
  seal(text: string, name: string): Promise<string>
  open(sealed: string, name: string): Promise<string | null>
}

export function createSecretBox(key: InstallationKey): SecretBox {
  const box: SecretBox = {
    async sealBytes(bytes, name) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, await key(), nonce).setAAD(Buffer.from(qualifyName(name)))
      const sealed = [sealing.update(bytes), sealing.final()]
      return Buffer.concat([nonce, sealing.getAuthTag(), ...sealed])
    },
    async openBytes(sealed, name) {
      const tagEnd = nonceBytes + tagBytes
      if (sealed.length < tagEnd) return null
      const opening = createDecipheriv(cipher, await key(), sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(qualifyName(name)))
        .setAuthTag(sealed.subarray(nonceBytes, tagEnd))
      try {
        return Buffer.concat([opening.update(sealed.subarray(tagEnd)), opening.final()])
      } catch {
        return null
      }
    },
    seal: async (text, name) => (await box.sealBytes(Buffer.from(text), name)).toString('base64'),
    open: async (sealed, name) =>
      (await box.openBytes(Buffer.from(sealed, 'base64'), name))?.toString('utf8') ?? null,
  }
  return box
}
