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

const tokenPattern = /^[A-Za-z0-9_-]+\.[0-9a-f]{24}$/
/** Stands between a token and what makes it long: no part of either. */
const joint = '~'

/** Characters that nobody can guess: a part of them is not the token. */
function makeLong(seed: string, token: string, length: number): string {
  let filling = ''
  for (let at = 0; token.length + joint.length + filling.length < length; at++)
    filling += Buffer.from(sha256(`${seed}/filling/${at}/${token}`), 'hex').toString('base64url')
  return `${token}${joint}${filling}`.slice(0, Math.max(length, token.length))
}

const mapTexts = (value: JsonValue, change: (text: string) => string): JsonValue =>
  typeof value === 'string'
    ? change(value)
    : Array.isArray(value)
      ? value.map((one) => mapTexts(one, change))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]))
        : value

/** A world whose tokens have at least this many characters; without the number, as many as they need. */
interface TokenWorld {
  seed: string
  tokenLength?: number | undefined
}

/** The value with all tokens at the length that the world gives them. */
export const lengthenTokens = ({ seed, tokenLength = 0 }: TokenWorld, value: JsonValue): JsonValue =>
  tokenLength === 0
    ? value
    : mapTexts(value, (text) => (tokenPattern.test(text) ? makeLong(seed, text, tokenLength) : text))

/** The value with its tokens as they were issued. One that is cut or changed is no token any more. */
export function shortenTokens<T extends JsonValue>({ seed, tokenLength = 0 }: TokenWorld, value: T): T {
  if (tokenLength === 0) return value
  return mapTexts(value, (text) => {
    const token = text.slice(0, (text.indexOf(joint) + 1 || text.length + 1) - 1)
    if (!tokenPattern.test(token)) return text
    return makeLong(seed, token, tokenLength) === text ? token : `${joint}${text}`
  }) as T
}

/** null where it is no token of this world and prefix. */
export function readToken<T>(seed: string, prefix: string, token: string): T | null {
  if (token.length > longest || !token.startsWith(prefix)) return null
  const dot = token.lastIndexOf('.')
  const text = Buffer.from(token.slice(prefix.length, dot), 'base64url').toString('utf8')
  return token.slice(dot + 1) === signToken(seed, `${prefix}${text}`) ? (JSON.parse(text) as T) : null
}
