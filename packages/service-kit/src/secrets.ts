/**
 * Removes secrets from texts that people read: log lines, and why a service did not start. Members with a
 * secret's name are removed before (log.ts). This finds the secrets themselves, wherever an error of a
 * library or a caller contains them.
 */
import type { ProcessEnvironment, ServiceSettings } from './settings.ts'

export type SecretMask = (text: string) => string

/** Shorter ones would hide ordinary words. */
const leastLength = 6
const hidden = '[redacted]'

/** A key of ours keeps its id, by which it is found; a JWT keeps nothing. */
const keyForms: readonly [RegExp, string][] = [
  [/\bstateeval_([0-9a-z]{16})_[0-9A-Za-z_-]{43}/g, `stateeval_$1_${hidden}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, hidden],
  // Secret of a webhook.
  [/\bwhsec_[A-Za-z0-9+/]{16,}={0,2}/g, hidden],
]

/** Keys and tokens are recognised by their form. */
export const withoutKeys: SecretMask = (text) =>
  keyForms.reduce((masked, [form, replacement]) => masked.replace(form, replacement), text)

/** Finds the password: the text between the user's colon and the last @, also in a malformed address. */
const findPassword = (address: string): string[] => {
  const [, password = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^:@/]*:(.*)@/i.exec(address) ?? []
  return password === '' ? [] : [password, decodePercent(password)]
}
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** All that this environment holds which nobody may read in a log. */
function collectSecrets(settings: ServiceSettings, env: ProcessEnvironment): string[] {
  const ofSettings = Object.entries(settings).flatMap(([name, { type, secret }]) => {
    const value = env[name]?.trim() ?? ''
    // One address, whose password may have commas, or a list of addresses.
    if (type === 'url') return [value, ...value.split(',')].flatMap((address) => findPassword(address.trim()))
    return secret ? [value] : []
  })
  const listed = new Set((env['STATEEVAL_KEY_NAMES'] ?? '').split(',').map((name) => name.trim()))
  const keys = Object.entries(env).flatMap(([name, value = '']) =>
    listed.has(name) || (name.startsWith('STATEEVAL_KEY_') && !/_(NAMES|HOSTS)$/.test(name))
      ? [value.trim()]
      : [],
  )
  // Headers that the exporter of spans sends: name=value, separated by commas.
  const headers = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '')
    .split(',')
    .map((header) => header.slice(header.indexOf('=') + 1).trim())
  return [...ofSettings, ...keys, ...headers.flatMap((value) => [value, decodePercent(value)])]
}

/** The same secret as it stands in a text, in JSON, and in an address. */
const listSpellings = (secret: string) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]

/** @param settings of the service; passwords in addresses and settings marked as secret are hidden. */
export function createMask(settings: ServiceSettings, env: ProcessEnvironment): SecretMask {
  const all = collectSecrets(settings, env).filter(({ length }) => length >= leastLength)
  // The longest first: one secret may begin like another.
  const texts = [...new Set(all.flatMap(listSpellings))].sort((a, b) => b.length - a.length)
  return (text) => {
    let masked = text
    for (const secret of texts) masked = masked.replaceAll(secret, hidden)
    return withoutKeys(masked)
  }
}
