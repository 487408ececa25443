/**
 * Tokens carry what was searched, so that a later call needs no memory of the search: JSON in base64, signed
 * with the seed. One that the world never issued is refused, as nobody can sign it.
 */
import { canonicalJson, type JsonValue, sha256 } from '@stateeval/contracts'

const signToken = (seed: string, text: string) => sha256(`${seed}/token/${text}`).slice(0, 24)

export function writeToken(seed: string, prefix: string, contents: JsonValue): string {
  const text = canonicalJson(contents)
  return `${prefix}${Buffer.from(text).toString('base64url')}.${signToken(seed, `${prefix}${text}`)}`
}

const longest = 20_000

/** null where it is no token of this world and prefix. */
export function readToken<T>(seed: string, prefix: string, token: string): T | null {
  if (token.length > longest || !token.startsWith(prefix)) return null
  const dot = token.lastIndexOf('.')
  const text = Buffer.from(token.slice(prefix.length, dot), 'base64url').toString('utf8')
  return token.slice(dot + 1) === signToken(seed, `${prefix}${text}`) ? (JSON.parse(text) as T) : null
}
