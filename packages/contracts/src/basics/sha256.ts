/** A SHA-256 in hexadecimal digits. */
import Type from 'typebox'

export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
