/** Checks the text of a model's base URL. The host's address is checked on connection. */
import { isIP } from 'node:net'
import { parseAddress, classifyAddress } from './addresses.ts'
import { stripHost, type NetworkRules } from './networks.ts'

/** Names by which cloud machines reach their metadata; they are refused whatever they resolve to. */
const metadataNames =
  /^(metadata|metadata\.google\.internal|metadata\.goog|metadata\.azure\.internal|instance-data|instance-data\.ec2\.internal)$/
/** Names that always mean this machine (RFC 6761). */
const localhost = /^(.+\.)?localhost$/

/**
 * Why a URL's host may not be asked, from its name or its literal address; null if that is not known yet.
 */
export function findHostFault({ hostname }: URL, networks: NetworkRules): string | null {
  const host = stripHost(hostname)
  if (metadataNames.test(host)) return `${host} is a metadata host, which is blocked`
  if (isIP(host)) return networks.refusal(host, host)
  return localhost.test(host) ? networks.refusal(host, '127.0.0.1') : networks.refusalOfName(host)
}

/** Tells whether a host is this machine by its name or its literal address. */
export function isLoopback(host: string): boolean {
  const bare = stripHost(host)
  return isIP(bare) ? classifyAddress(parseAddress(bare)) === 'loopback' : localhost.test(bare)
}

/** The fault of a base URL that any user may set; null if there is none. */
export function findBaseUrlFault(text: string, networks: NetworkRules): string | null {
  const fault = findUrlFormFault(text)
  if (fault !== null) return fault
  const hostFault = findHostFault(new URL(text), networks)
  return hostFault && `is not allowed: ${hostFault}`
}

/** The fault in the form of a base URL, for any host. */
export function findUrlFormFault(text: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'is not a URL; use one such as http://127.0.0.1:8000/v1'
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.port === '0') return 'names port 0, on which nothing listens'
  if (url.username || url.password)
    return 'must not contain a user or password; name the key’s variable in keyEnv'
  // An empty query or fragment is no part of a URL object, and would swallow the path that is put behind it.
  if (/[?#]/.test(text)) return 'must not have a query or fragment; name query parameters in query'
  if (/[^\x21-\x7e\u00a1-\uffff]/.test(text)) return 'must not have spaces or control characters'
  return null
}
