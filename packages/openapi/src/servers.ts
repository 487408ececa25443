/** Addresses that requests may go to: of a document, a path, or an operation. */
import { isRecord, getOwnMember } from '@stateeval/contracts'
import { isNode, type DocumentNode } from './document.ts'

const variable = /\{([^{}]*)\}/g
/** Limit of addresses of one server whose variables have lists of values; more are written as a pattern. */
const maxAddresses = 50

/**
 * The addresses of a part's servers, the first with its variables at their defaults; `{name}` stands where a
 * variable may have any value. Relative ones are those of `base`; what is no address is left out.
 */
export function listAddresses(servers: unknown, base?: string): string[] {
  const nodes = Array.isArray(servers) ? (servers as unknown[]).filter(isNode) : []
  const addresses = nodes
    .flatMap((node) => expandAddress(node))
    .map((address) => resolveAddress(address, base))
  return [...new Set(addresses.filter((address) => isAddress(address)))]
}

function expandAddress({ url, variables }: DocumentNode): string[] {
  if (typeof url !== 'string') return []
  const named = isRecord(variables) ? variables : {}
  const ofVariable = (name: string) => {
    const one = getOwnMember(named, name)
    const { enum: list, default: first } = isNode(one) ? one : {}
    const values = Array.isArray(list) ? list.map(String) : []
    return { first: typeof first === 'string' ? first : values[0], values }
  }
  const names = [...new Set([...url.matchAll(variable)].map(([, name]) => name!))]
  const atDefaults = url.replace(variable, (whole, name: string) => ofVariable(name).first ?? whole)
  const all = names.reduce<string[]>(
    (urls, name) => {
      const { values } = ofVariable(name)
      if (values.length === 0 || urls.length * values.length > maxAddresses) return urls
      return urls.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, value)))
    },
    [url],
  )
  return [atDefaults, ...all]
}

/** Joined like a path, as OpenAPI resolves what is relative against the document's own address. */
const resolveAddress = (address: string, base: string | undefined) =>
  base === undefined || /^[a-z][a-z\d+.-]*:/i.test(address)
    ? removeLastSlash(address)
    : removeLastSlash(
        address.startsWith('/')
          ? `${/^[a-z]+:\/\/[^/]*/i.exec(base)?.[0] ?? ''}${address}`
          : `${removeLastSlash(base)}/${address}`,
      )
const removeLastSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '')

const isAddress = (address: string) => /^https?:\/\/[^?#\s'"]+$/.test(address)
/** Tells whether an address is complete, so that requests can be sent to it. */
export const isFull = (address: string) => isAddress(address) && !/[{}]/.test(address)

/** A text as a pattern of itself. */
export const escapeAsPattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Compiles a pattern for the beginning of this server's URLs. */
export const compileBeginning = (address: string): RegExp =>
  new RegExp(
    `^${address
      .split(variable)
      .map((part, n) => (n % 2 === 0 ? escapeAsPattern(part) : '[^/?#]{1,200}'))
      .join('')}`,
  )
