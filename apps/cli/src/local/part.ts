/** A part of the running suite: how it is started, and when it is ready. */
import { connect } from 'node:net'
import type { ProcessCommand } from './process.ts'

export interface PartPlan {
  name: string
  version: string
  /** Its ports by what they are for, each with those to try first. */
  ports: Record<string, number>
  urls: (ports: Record<string, number>) => Record<string, string>
  command: (ports: Record<string, number>) => Omit<ProcessCommand, 'log'>
  /** A hash of what else it is started with. */
  settings: string
  /** Facts of this machine that it reads when it starts; unset where that isn’t known or doesn’t matter. */
  machine?: string
  /** null when it answers as it should, else what it says instead. */
  notReady: (urls: Record<string, string>) => Promise<string | null>
}

/** Queries a service's /health/ready. */
export async function findServiceFault(url: string, timeoutMs = 2_000): Promise<string | null> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    return response.status === 200 ? null : `${response.status} ${text.slice(0, 300)}`
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Partial<NodeJS.ErrnoException> }
    return cause?.message || cause?.code || message
  }
}

/**
 * Checks whether the first host and port of a URL (mongodb://u:p@a:1,b:2/x, nats://a:1) accept connections.
 */
export async function findServerFault(
  url: string,
  defaultPort: number,
  timeoutMs = 2_000,
): Promise<string | null> {
  const hosts = parseServerHosts(url, defaultPort)
  if (!hosts) return null // mongodb+srv: the hosts are in the DNS, only the driver knows
  const answers = await Promise.all(hosts.map(({ host, port }) => tryConnect(host, port, timeoutMs)))
  return answers.some((answer) => answer === null) ? null : (answers[0] ?? null)
}

/** The hosts of a server's URL without user and password; null if the URL has none. */
export function parseServerHosts(url: string, defaultPort: number): { host: string; port: number }[] | null {
  if (url.startsWith('mongodb+srv:')) return null
  const [, authority] = /^(?:[a-z+]+:\/\/)?([^/?]*)/i.exec(url) ?? []
  const list = (authority ?? '').split(',').map((part) => {
    const text = part.slice(part.lastIndexOf('@') + 1).replace(/^[a-z+]+:\/\//i, '')
    const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text) ?? []
    return { host: (host ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) }
  })
  return list.length ? list : null
}

const tryConnect = (host: string, port: number, timeoutMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const end = (answer: string | null) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end(`${host}:${port} doesn't answer`))
    socket.once('error', (error) => end(error.message || `${host}:${port} refuses connections`))
  })
