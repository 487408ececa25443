/**
 * Which hosts a model may be at. Any but those that serve a cloud machine's own credentials: link-local addresses and
 * metadata names, however they are written, and also where a name resolves to one at the time of a call.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

const blocked = new BlockList()
blocked.addSubnet('169.254.0.0', 16, 'ipv4')
blocked.addSubnet('fe80::', 10, 'ipv6')
// Metadata services outside of the link-local range: AWS over IPv6, Alibaba Cloud, Oracle Cloud.
blocked.addAddress('fd00:ec2::254', 'ipv6')
blocked.addAddress('100.100.100.200', 'ipv4')
blocked.addAddress('192.0.0.192', 'ipv4')
const blockedNames =
  /^(metadata|metadata\.google\.internal|metadata\.goog|metadata\.azure\.internal|instance-data|instance-data\.ec2\.internal)$/

/** Takes IPv4 addresses in IPv6 clothes (mapped, NAT64, 6to4) by their last or inner 32 bits. */
function isBlockedAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return blocked.check(address, 'ipv4')
  if (family !== 6) return false
  const plain = address.replace(/%.*$/, '')
  if (blocked.check(plain, 'ipv6')) return true
  const groups = expand(plain)
  const v4 = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  const [a = 0, b = 0, c = 0] = groups
  const embedded =
    groups.slice(0, 5).every((group) => group === 0) || (a === 0x64 && b === 0xff9b)
      ? v4(groups[6] ?? 0, groups[7] ?? 0)
      : a === 0x2002
        ? v4(b, c)
        : null
  return embedded !== null && blocked.check(embedded, 'ipv4')
}

function expand(address: string): number[] {
  const text = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${((+a << 8) | +b).toString(16)}:${((+c << 8) | +d).toString(16)}`,
  )
  const [head = '', tail] = text.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...middle, ...right].map((group) => Number.parseInt(group, 16))
}

/** What is wrong with a base URL, as far as its text tells; null where nothing is. */
export function faultOfBaseUrl(text: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'is no URL; give one such as http://127.0.0.1:8000/v1'
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.username || url.password) return 'must not hold a user or password; name the key’s variable in keyEnv'
  if (url.search || url.hash) return 'must not have a query or fragment'
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (blockedNames.test(host) || isBlockedAddress(host)) return `names ${host}, a link-local or metadata host, which is refused`
  return null
}

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>
const resolveAll: Resolve = (host) => lookup(host, { all: true })

/** The same at call time, with the addresses that the name has now. `away`: the name could not be resolved, another try may help. */
export async function checkHost(
  baseUrl: string,
  resolve: Resolve = resolveAll,
): Promise<{ ok: true } | { ok: false; reason: string; away?: boolean }> {
  const fault = faultOfBaseUrl(baseUrl)
  if (fault) return { ok: false, reason: `the base URL ${fault}` }
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return { ok: true }
  try {
    const addresses = await resolve(host)
    const bad = addresses.find(({ address }) => isBlockedAddress(address))
    return bad
      ? { ok: false, reason: `${host} resolves to ${bad.address}, a link-local or metadata address, which is refused` }
      : { ok: true }
  } catch {
    return { ok: false, reason: `${host} can’t be resolved`, away: true }
  }
}
