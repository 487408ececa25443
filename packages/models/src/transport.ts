/** HTTP for model requests: connections are made only to allowed addresses. */
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { isLoopback } from './base-url.ts'
import type { NetworkRules } from './networks.ts'

export type ResolveHost = (host: string) => Promise<{ address: string; family: number }[]>
const resolveAll: ResolveHost = (host) => lookup(host, { all: true })

/** A request that must not be sent, with a remedy. */
export class HostRefused extends Error {}

type TransportEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Limit of one answer, in bytes: more than any kept answer takes as a stream with a frame for each token, and
 * less than memory. It limits compressed bytes; readers of a body limit the decompressed ones.
 */
export const largestAnswer = 256 * 1024 * 1024

/**
 * A fetch that resolves a name once per connection and connects only to checked addresses, so a name that
 * later resolves differently gains nothing. The caller handles what follows, such as redirects.
 */
export function createTransport(
  networks: NetworkRules,
  env: TransportEnvironment,
  resolve: ResolveHost = resolveAll,
): typeof fetch {
  let loaded:
    | Promise<{
        send: (url: string, init: object) => Promise<unknown>
        direct: Dispatcher
        proxied: Dispatcher
      }>
    | undefined
  // Loaded with the first request: services start without it.
  const load = async () => {
    const { Agent, buildConnector, EnvHttpProxyAgent, fetch } = await import('undici')
    const options = {
      connect: guardConnector(buildConnector({ lookup: createCheckedLookup(networks, resolve) }), networks),
      // The time of a request is the caller's signal: a slow model is not cut off before.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: largestAnswer,
    }
    const direct = new Agent(options)
    // Behind a proxy of the environment, as for Node's own fetch, names are resolved there.
    const proxied = env.NODE_USE_ENV_PROXY === '1' ? new EnvHttpProxyAgent(options) : direct
    return { send: fetch as (url: string, init: object) => Promise<unknown>, direct, proxied }
  }
  return async (url, init) => {
    const { send, direct, proxied } = await (loaded ??= load())
    // A proxy cannot reach addresses of this machine, whatever NO_PROXY says.
    const dispatcher = isLoopback(new URL(String(url)).hostname) ? direct : proxied
    return (await send(String(url), { ...init, dispatcher })) as Response
  }
}

function check(networks: NetworkRules, host: string, address: string): void {
  const refusal = networks.refusal(host, address)
  if (refusal !== null) throw new HostRefused(refusal)
}

function createCheckedLookup(networks: NetworkRules, resolve: ResolveHost): LookupFunction {
  return (host, { all }, done) => {
    const lookUp = async () => {
      const addresses = await resolve(host).catch((error: unknown) => {
        const { code = 'ENOTFOUND' } = error as { code?: string }
        throw Object.assign(new Error(`${host} can’t be resolved`), { code })
      })
      if (addresses.length === 0)
        throw Object.assign(new Error(`${host} can’t be resolved`), { code: 'ENOTFOUND' })
      // One bad address is enough: who mixes them in tries to get there.
      for (const { address } of addresses) check(networks, host, address)
      return addresses
    }
    lookUp().then(
      (addresses) => {
        const [{ address, family } = { address: '', family: 0 }] = addresses
        if (all) done(null, addresses)
        else done(null, address, family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }
}

/**
 * Addresses are not looked up, so they are checked here; and what was connected to in the end, before a byte
 * is sent.
 */
function guardConnector(connect: buildConnector.connector, networks: NetworkRules): buildConnector.connector {
  return (options, done) => {
    const { hostname } = options
    try {
      if (isIP(hostname)) check(networks, hostname, hostname)
    } catch (error) {
      return done(error as Error, null)
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return done(error, null)
      try {
        check(networks, hostname, socket.remoteAddress ?? '')
        done(null, socket)
      } catch (refusal) {
        socket.destroy()
        done(refusal as Error, null)
      }
    })
  }
}
