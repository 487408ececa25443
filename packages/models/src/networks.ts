/**
 * The networks in which models may be. A caller's URL is requested from inside an installation, so without
 * STATEEVAL_MODEL_NETWORKS it could reach internal servers. STATEEVAL_MODEL_HOSTS restricts public
 * addresses to a list; STATEEVAL_MODEL_DENIED refuses addresses that the others allow.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type ParsedAddress, parseAddress, classifyAddress } from './addresses.ts'

const networksSetting = 'STATEEVAL_MODEL_NETWORKS'
const hostsSetting = 'STATEEVAL_MODEL_HOSTS'
const deniedSetting = 'STATEEVAL_MODEL_DENIED'

/** The names of the settings, for messages. */
interface ListNames {
  networks: string
  hosts: string
  denied: string
}
const namesForModels: ListNames = { networks: networksSetting, hosts: hostsSetting, denied: deniedSetting }

export interface HostLists {
  /** The only allowed hosts, if it has entries; those beyond public addresses are allowed as well. */
  hosts?: readonly string[]
  /** Refused, whatever else allows them. */
  denied?: readonly string[]
}

export interface NetworkRules {
  /**
   * Why a model may not be at a host, whatever its name stands for; null where that depends on the address.
   */
  refusalOfName(host: string): string | null
  /**
   * Why a model may not be at an address that a host name (or that address itself) stands for; null where it
   * may be.
   */
  refusal(host: string, address: string): string | null
}
/** Tells whether an entry covers a host name, or the address to which it resolves. */
type CoverCheck = (host: string, address: ParsedAddress) => boolean

const words: ReadonlyMap<string, CoverCheck> = new Map([
  ['loopback', (_, address) => classifyAddress(address) === 'loopback'],
  ['private', (_, address) => classifyAddress(address) === 'private'],
])
const name = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
const form =
  'name loopback, private, an address, a subnet such as 10.1.0.0/16, or a host such as gpu.internal or *.corp.example'

/** A host name for comparison: without brackets and the root's dot, in lower case. */
export const stripHost = (host: string) =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** A leading `*.` matches one or more labels. */
export const isHostMatch = (pattern: string, host: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/**
 * `entries` are allowed in addition to public addresses. Throws an error that names the setting and the
 * faulty entry, with a remedy.
 */
export function createNetworks(
  entries: readonly string[],
  { hosts = [], denied = [] }: HostLists = {},
  settings: ListNames = namesForModels,
): NetworkRules {
  const covers = readInSetting(settings.networks, () => entries.map(createOpening))
  const listed = readInSetting(settings.hosts, () => hosts.map(createNaming))
  const refused = readInSetting(settings.denied, () => denied.map(createNaming))
  const deniedText = (bare: string) =>
    `${bare} is on the list of denied hosts (${settings.denied}). Use another host, or ask the operator of the services`
  const unlisted = (bare: string) =>
    `${bare} is not on the list of allowed hosts (${settings.hosts}). Use a host on the list, or ask the operator of the services to add it`
  const names = (list: readonly string[], bare: string) =>
    list.some((entry) => isHostMatch(stripHost(entry), bare))
  // The whole value, unless that would tell callers the names of a network.
  const remedyWith = (entry: string) =>
    entries.every((one) => words.has(one))
      ? `set ${settings.networks}=${[...entries, entry].join(',')}`
      : `add ${entry} to ${settings.networks}`
  return {
    refusalOfName(host) {
      const bare = stripHost(host)
      if (names(denied, bare)) return deniedText(bare)
      const isOpen = hosts.length === 0 || [...hosts, ...entries].some((entry) => !isName(stripHost(entry)))
      return isOpen || names([...hosts, ...entries], bare) ? null : unlisted(bare)
    },
    refusal(host, text) {
      const address = parseAddress(text)
      const kind = classifyAddress(address)
      const bare = stripHost(host)
      if (refused.some((isNamed) => isNamed(bare, address))) return deniedText(bare)
      if (covers.some((isCovered) => isCovered(bare, address))) return null
      if (kind === 'public')
        return listed.length === 0 || listed.some((isNamed) => isNamed(bare, address)) ? null : unlisted(bare)
      const what = {
        loopback: 'a loopback',
        private: 'a private',
        metadata: 'a link-local or metadata',
        reserved: 'a reserved',
      }[kind]
      // Errors do not report the address of a name: that would be a way to read the names of a network.
      const resolution = isIP(bare) ? `${bare} is ${what} address` : `${bare} resolves to ${what} address`
      const entry =
        kind === 'loopback' ? 'loopback' : isIP(bare) || kind === 'private' ? bare : 'that address'
      return `${resolution}, which is blocked. To allow it, ${remedyWith(entry)} in the environment of the services (or .env), and restart them`
    },
  }
}

function readInSetting<T>(setting: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`${setting}: ${(error as Error).message}`, { cause: error })
  }
}

/** Creates the check of an entry that opens addresses besides public ones. */
function createOpening(entry: string): CoverCheck {
  const text = stripHost(entry)
  // A name may stand for hosts of one's own, never for metadata: names are not always in the hands of who
  // lists them.
  if (isName(text))
    return (host, address) =>
      isHostMatch(text, host) && ['loopback', 'private'].includes(classifyAddress(address))
  const covers = createNaming(entry)
  // A subnet does not cover metadata addresses: whoever wants one must list it by itself.
  return text.includes('/')
    ? (host, address) => classifyAddress(address) !== 'metadata' && covers(host, address)
    : covers
}

/** Creates the check of an entry that names hosts, or addresses whatever their names are. */
function createNaming(entry: string): CoverCheck {
  const text = stripHost(entry)
  const word = words.get(text)
  if (word) return word
  if (isIP(text)) return coverExactly(parseAddress(text))
  if (text.includes('/')) return coverWithin(entry, text)
  if (!isName(text)) throw new Error(`${entry}: ${form}`)
  return (host) => isHostMatch(text, host)
}

const isName = (text: string) => !words.has(text) && !isIP(text) && name.test(text) && !/^[\d.]+$/.test(text)

const coverExactly = (one: ParsedAddress): CoverCheck => {
  const addressText = one.toString()
  return (_, address) => address.toString() === addressText
}

function coverWithin(entry: string, text: string): CoverCheck {
  let subnet: [ParsedAddress, number]
  try {
    subnet = ipaddr.parseCIDR(text)
  } catch {
    throw new Error(`${entry} is not a subnet; ${form}`)
  }
  const [base, bits] = subnet
  return (_, address) => address.kind() === base.kind() && address.match([base, bits] as [never, number])
}
