/**
 * Additions to each request, from a model's settings: the key, and headers and query parameters, whose
 * secrets are variables of the environment. Secrets are read right before a request, and bound to hosts like
 * keys.
 */
import { findKeyFault, readKey } from './key.ts'

interface ExtraSettings {
  baseUrl: string
  keyEnv?: string
  keyHeader?: string
  headers?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}
type ModelEnvironment = Readonly<Record<string, string | undefined>>
type ExtrasFault = { field: string; says: string }

/** Headers that the request itself, the connection or keyEnv decides. */
const reservedHeaders = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Parts of names whose values are secrets, as in x-api-key and subscriptionKey. */
const secretWords = new Set(
  'apikey auth authorization bearer credential credentials key passwd password secret sig signature token'.split(
    ' ',
  ),
)
const hasSecret = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-._]/)
    .some((word) => secretWords.has(word))

const variable = /\$\{([^{}]*)\}/g
const listVariables = (text: string) => [...text.matchAll(variable)].map(([, name = '']) => name)

/** The fault of the key and of what else is added, whether the variables are set or not. */
export function findExtrasFault(
  { baseUrl, keyEnv, keyHeader, headers = {}, query = {} }: ExtraSettings,
  env: ModelEnvironment,
): ExtrasFault | null {
  const url = new URL(baseUrl)
  const wrongKey = keyEnv === undefined ? null : findKeyFault(keyEnv, url, env)
  if (wrongKey !== null) return { field: '/keyEnv', says: wrongKey }
  if (keyHeader !== undefined && keyEnv === undefined)
    return { field: '/keyHeader', says: 'keyHeader needs keyEnv; set keyEnv, or remove keyHeader' }
  const names = new Set<string>()
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    const says =
      lower === 'authorization'
        ? 'is set from keyEnv; name the key’s variable there'
        : lower === keyHeader?.toLowerCase() || reservedHeaders.has(lower)
          ? 'is set by the service; remove it'
          : names.has(lower)
            ? 'is named twice; remove one'
            : null
    if (says !== null) return { field: `/headers/${name}`, says: `headers.${name} ${says}` }
    names.add(lower)
  }
  for (const [kind, values] of Object.entries({ headers, query }))
    for (const [name, text] of Object.entries(values)) {
      const variables = listVariables(text)
      const says =
        hasSecret(name) && variables.length === 0
          ? 'would be stored with its value; put the value into a variable STATEEVAL_KEY_…, and write ${STATEEVAL_KEY_…}'
          : variables.map((one) => findKeyFault(one, url, env)).find((fault) => fault !== null)
      if (says) return { field: `/${kind}/${name}`, says: `${kind}.${name}: ${says}` }
    }
  return null
}

/** Additions to one request. */
export interface RequestExtras {
  headers: readonly (readonly [string, string])[]
  query: readonly (readonly [string, string])[]
  /** Replaces each secret in a text of the endpoint. */
  hide: (text: string) => string
}
type ExtrasResult = ({ ok: true } & RequestExtras) | { ok: false; reason: string }

/** Characters that a header can carry. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** Reads the secrets at call time. The reason names a variable, never its value. */
export function readExtras(
  { baseUrl, keyEnv, keyHeader, headers = {}, query = {} }: ExtraSettings,
  env: ModelEnvironment,
): ExtrasResult {
  const url = new URL(baseUrl)
  const secrets = new Map<string, string>()
  const named = [keyEnv, ...[...Object.values(headers), ...Object.values(query)].flatMap(listVariables)]
  for (const name of named) {
    if (name === undefined) continue
    const result = readKey(name, url, env)
    if (!result.ok) return result
    const value = result.key ?? ''
    if (!sendable.test(value))
      return {
        ok: false,
        reason: `${name} contains characters that a request cannot carry; correct its value`,
      }
    secrets.set(name, value)
  }
  const resolve = ([name, text]: [string, string]) =>
    [name, text.replace(variable, (_, one: string) => secrets.get(one) ?? '')] as const
  const key = keyEnv === undefined ? undefined : secrets.get(keyEnv)
  return {
    ok: true,
    headers: [
      ...(key === undefined
        ? []
        : [
            keyHeader === undefined
              ? (['authorization', `Bearer ${key}`] as const)
              : ([keyHeader, key] as const),
          ]),
      ...Object.entries(headers).map(resolve),
    ],
    query: Object.entries(query).map(resolve),
    hide: hideAll([...secrets.values()]),
  }
}

/** The spellings of a secret that an endpoint may repeat: as it is, and as a URL has it. */
const listSecretSpellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ a: secret }).toString().slice('a='.length),
]

function hideAll(secrets: readonly string[]): RequestExtras['hide'] {
  // The longest first: one secret may begin another.
  const all = [...new Set(secrets.flatMap(listSecretSpellings))].sort((a, b) => b.length - a.length)
  return (text) => all.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
}

/** The URL with the query parameters added; those of the same name are replaced. */
export function withQuery(url: URL, { query }: Pick<RequestExtras, 'query'>): URL {
  for (const [name, value] of query) url.searchParams.set(name, value)
  return url
}
