/**
 * The hosts to which a key may be sent: those listed in the variable that belongs to it
 * (STATEEVAL_KEY_MINE_HOSTS for STATEEVAL_KEY_MINE). Users who name a model choose its URL; only the
 * environment determines the hosts of a key.
 */
import { isIP } from 'node:net'
import { stripHost, isHostMatch } from './networks.ts'

type KeyEnvironment = Readonly<Record<string, string | undefined>>

export const hostsSuffix = '_HOSTS'
const formatHostsVariable = (keyEnv: string) => `${keyEnv}${hostsSuffix}`

interface HostBinding {
  /** Undefined: https, and http to a loopback host. */
  scheme?: string
  host: string
  /** Undefined: the scheme's own. */
  port?: number | 'any'
}
const form =
  'write hosts such as api.example.com, *.example.com, models.example.com:8443, http://10.0.0.5:8000, 127.0.0.1:8000 or 127.0.0.1:*'
const hostPattern = /^(?:(https?):\/\/)?(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/\\@?#[\]*]+)(?::(\d{1,5}|\*))?\/?$/i

const splitEntries = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** Throws an error that says what to write. */
function parseBinding(entry: string): HostBinding {
  const fault = new Error(`${JSON.stringify(entry)} is not a valid key host; ${form}`)
  const [, scheme, wildcard = '', name = '', port] = hostPattern.exec(entry) ?? []
  let host: string
  try {
    host = stripHost(new URL(`http://${name}`).hostname)
  } catch {
    throw fault
  }
  // A wildcard for all of a top-level domain would be one for everybody.
  if (wildcard && (isIP(host) || !host.includes('.'))) throw fault
  if (port !== undefined && port !== '*' && (Number(port) < 1 || Number(port) > 65_535)) throw fault
  return {
    ...(scheme && { scheme: scheme.toLowerCase() }),
    host: `${wildcard}${host}`,
    ...(port !== undefined && { port: port === '*' ? 'any' : Number(port) }),
  }
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
const getScheme = ({ protocol }: URL) => protocol.slice(0, -1)
const getUsualPort = (scheme: string) => (scheme === 'https' ? 443 : 80)

function isCovering({ scheme, host, port }: HostBinding, url: URL): boolean {
  const to = stripHost(url.hostname)
  const by = getScheme(url)
  const usual = getUsualPort(by)
  return (
    isHostMatch(host, to) &&
    (scheme === undefined ? by === 'https' || isLoopback(to) : scheme === by) &&
    (port === 'any' || (port ?? usual) === Number(url.port || usual))
  )
}

/** The entry that would allow a URL's host. */
function formatEntry(url: URL): string {
  const to = url.hostname.replace(/\.$/, '')
  const scheme = getScheme(url)
  return `${scheme === 'http' && !isLoopback(stripHost(to)) ? 'http://' : ''}${to}${url.port && `:${url.port}`}`
}

/** Why a key may not be sent to a URL, with the setting that would allow it; null if it may. */
export function findKeyHostFault(keyEnv: string, url: URL, env: KeyEnvironment): string | null {
  const variable = formatHostsVariable(keyEnv)
  const entries = splitEntries(env[variable] ?? '')
  try {
    if (entries.map(parseBinding).some((binding) => isCovering(binding, url))) return null
  } catch (error) {
    return `${variable}: ${(error as Error).message}`
  }
  const entry = formatEntry(url)
  const remedy =
    entries.length === 0 ? `set ${variable}=${entry}` : `add ${entry} to ${variable} (separated by commas)`
  return `${keyEnv} may not be sent to ${entry}. If it is meant for that host, ${remedy} in the environment of the services (or .env), and restart them (npx stateeval up)`
}

/** The faults of the lists of hosts in an environment, one sentence each. */
export function listKeyHostFaults(env: KeyEnvironment, isKey: (name: string) => boolean): string[] {
  return Object.entries(env).flatMap(([name, text = '']) => {
    if (!name.endsWith(hostsSuffix) || !isKey(name.slice(0, -hostsSuffix.length))) return []
    return splitEntries(text).flatMap((entry) => {
      try {
        parseBinding(entry)
        return []
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    })
  })
}
