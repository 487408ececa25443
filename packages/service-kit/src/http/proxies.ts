/** Trusted proxies, whose statement of the caller's address is accepted. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { SettingsError } from '../settings.ts'

/** Checks addresses and networks. Throws a SettingsError that names the invalid ones. */
export function parseProxies(listed: readonly string[]): readonly string[] {
  const faults = listed.flatMap((proxy) => {
    const [address = '', prefix, ...more] = proxy.split('/')
    const version = isIP(address)
    if (version === 0 || more.length > 0 || (prefix !== undefined && !isPrefix(prefix, version)))
      return [`STATEEVAL_TRUSTED_PROXIES: ${proxy}: name an address, or a network such as 10.0.0.0/8`]
    return Number(prefix) === 0
      ? [
          `STATEEVAL_TRUSTED_PROXIES: ${proxy} includes every address, so callers could claim any address; name the proxies`,
        ]
      : []
  })
  if (faults.length > 0) throw new SettingsError(faults)
  return listed
}

const isPrefix = (text: string, version: number) =>
  /^\d{1,3}$/.test(text) && Number(text) <= (version === 4 ? 32 : 128)

/** The origin of a request: the address that trusted proxies report, if it is one. */
export const getCallerAddress = ({ ip, socket }: FastifyRequest): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
