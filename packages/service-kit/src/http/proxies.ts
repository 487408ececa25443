/** Proxies before a service, whose word about the caller's address is taken. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { SettingsError } from '../settings.ts'

/** The same addresses and networks. Throws a SettingsError that names those that are none. */
export function proxiesIn(listed: readonly string[]): readonly string[] {
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

/** Where a request comes from: what the trusted proxies say, where that is an address. */
export const callerAddress = ({ ip, socket }: FastifyRequest): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
