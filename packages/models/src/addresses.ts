/** Classifies IP addresses in any notation. */
import ipaddr from 'ipaddr.js'

/**
 * `metadata`: link-local, and what serves a cloud machine its own credentials. `reserved`: no host's own
 * address.
 */
type AddressKind = 'public' | 'loopback' | 'private' | 'metadata' | 'reserved'
export type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Metadata services outside of the link-local range: Alibaba Cloud, Oracle Cloud, Azure; AWS, Google Cloud,
 * Scaleway over IPv6.
 */
const metadata = new Set(
  ['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42'].map(
    (text) => ipaddr.parse(text).toString(),
  ),
)
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64Prefix = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * The address itself: without a zone; an IPv4 address within IPv6 (mapped, NAT64) as IPv4. Throws if the
 * text is not an address.
 */
export function parseAddress(text: string): ParsedAddress {
  const address = ipaddr.parse(text.split('%', 1)[0] ?? '')
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64Prefix) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

export function classifyAddress(address: ParsedAddress): AddressKind {
  if (metadata.has(address.toString())) return 'metadata'
  switch (address.range()) {
    case 'loopback':
      return 'loopback'
    case 'linkLocal':
      return 'metadata'
    case 'private':
    case 'carrierGradeNat':
    case 'uniqueLocal':
      return 'private'
    case 'unspecified':
      // The kernel connects to itself.
      return address.toByteArray().every((byte) => byte === 0) ? 'loopback' : 'reserved'
    case 'unicast':
      return address instanceof ipaddr.IPv4 || address.match(globalUnicast) ? 'public' : 'reserved'
    default:
      // Multicast, broadcast, documentation, and tunnels (6to4, Teredo), which hide another address.
      return 'reserved'
  }
}
