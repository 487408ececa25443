/**
 * Where models may be besides public addresses, as STATEEVAL_MODEL_NETWORKS lists it. A URL that a caller names is requested
 * from inside an installation: without the list it could reach what only the installation should.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Address, addressOf, kindOf } from './addresses.ts'

export const networksSetting = 'STATEEVAL_MODEL_NETWORKS'

export interface Networks {
  /** Why a model may not be at an address that a host name (or that address itself) stands for; null where it may be. */
  refusal(host: string, address: string): string | null
}
/** Whether an entry covers an address that a host name stands for. */
type Covers = (host: string, address: Address) => boolean

const words: ReadonlyMap<string, Covers> = new Map([
  ['loopback', (_, address) => kindOf(address) === 'loopback'],
  ['private', (_, address) => kindOf(address) === 'private'],
])
const name = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
const form =
  'name loopback, private, an address, a subnet such as 10.1.0.0/16, or a host such as gpu.internal or *.corp.example'

/** A host name as it is compared: without brackets, the dot of the root, and capitals. */
export const bareHost = (host: string) =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** `*.` in front stands for one label or more. */
export const hostMatches = (pattern: string, host: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** Throws an error that names the entry at fault and says what to write. */
export function networksOf(entries: readonly string[]): Networks {
  const covers = entries.map(entryOf)
  // The whole value, unless that would tell callers the names of a network.
  const remedyWith = (entry: string) =>
    entries.every((one) => words.has(one))
      ? `set ${networksSetting}=${[...entries, entry].join(',')}`
      : `add ${entry} to ${networksSetting}`
  return {
    refusal(host, text) {
      const address = addressOf(text)
      const kind = kindOf(address)
      const bare = bareHost(host)
      if (kind === 'public' || covers.some((isCovered) => isCovered(bare, address))) return null
      const what = {
        loopback: 'a loopback',
        private: 'a private',
        metadata: 'a link-local or metadata',
        reserved: 'a reserved',
      }[kind]
      // What a name stands for is not told: that would be a way to read the names of a network.
      const resolution = isIP(bare) ? `${bare} is ${what} address` : `${bare} resolves to ${what} address`
      const entry =
        kind === 'loopback' ? 'loopback' : isIP(bare) || kind === 'private' ? bare : 'that address'
      return `${resolution}, which is refused. To allow it, ${remedyWith(entry)} in the environment of the services (or .env), and restart them`
    },
  }
}

function entryOf(entry: string): Covers {
  const text = bareHost(entry)
  const word = words.get(text)
  if (word) return word
  if (isIP(text)) return exactly(addressOf(text))
  if (text.includes('/')) return within(entry, text)
  if (!name.test(text) || /^[\d.]+$/.test(text)) throw new Error(`${entry}: ${form}`)
  // A name may stand for hosts of one's own, never for metadata: names are not always in the hands of who lists them.
  return (host, address) => hostMatches(text, host) && ['loopback', 'private'].includes(kindOf(address))
}

const exactly = (one: Address): Covers => {
  const addressText = one.toString()
  return (_, address) => address.toString() === addressText
}

/** A subnet does not cover metadata addresses: whoever wants one must list it by itself. */
function within(entry: string, text: string): Covers {
  let subnet: [Address, number]
  try {
    subnet = ipaddr.parseCIDR(text)
  } catch {
    throw new Error(`${entry} is no subnet; ${form}`)
  }
  const [base, bits] = subnet
  return (_, address) =>
    address.kind() === base.kind() &&
    kindOf(address) !== 'metadata' &&
    address.match([base, bits] as [never, number])
}
