/** The status of a home folder's parts. */
import { withDotEnv } from './environment.ts'
import { checkout } from './home.ts'
import { parseServerHosts, findServerFault, findServiceFault } from './part.ts'
import { isAlive } from './process.ts'
import { formatMinute } from '../report/format.ts'
import { readState } from './state.ts'

export interface PartStatus {
  name: string
  status: 'up' | 'not ready' | 'down'
  pid: number | null
  url: string
  version: string | null
  since: string | null
  /** Why the part is not ready. */
  detail: string | null
}

interface StatusOptions {
  home: string
  env?: NodeJS.ProcessEnv
  folder?: string
}

/** One entry per part, servers first; empty if nothing was ever started. */
export async function readStatus({
  home,
  env = process.env,
  folder = checkout,
}: StatusOptions): Promise<PartStatus[]> {
  const state = readState(home)
  if (!state) return []
  const settings = withDotEnv(folder, env)
  const external = [
    ...(state.mongodb === 'external' ? [readExternalStatus('mongodb', settings.MONGODB_URI, 27017)] : []),
    ...(state.nats === 'external' ? [readExternalStatus('nats', settings.NATS_URL, 4222)] : []),
  ]
  const parts = state.parts.map(async ({ name, urls, version, since, ended, ...id }): Promise<PartStatus> => {
    const url = Object.values(urls).join(' ')
    if (!isAlive(id)) {
      const detail = ended === undefined ? 'its process has ended' : `stopped at ${formatMinute(ended)}`
      return { name, status: 'down', pid: null, url, version, since: null, detail }
    }
    const problems = await Promise.all(
      Object.entries(urls).map(([use, url]) =>
        use === 'http' ? findServiceFault(url) : findServerFault(url, 0),
      ),
    )
    const detail = problems.find((problem) => problem !== null) ?? null
    return { name, status: detail === null ? 'up' : 'not ready', pid: id.pid, url, version, since, detail }
  })
  return Promise.all([...external, ...parts])
}

async function readExternalStatus(name: string, url: string | undefined, port: number): Promise<PartStatus> {
  const where =
    url &&
    parseServerHosts(url, port)
      ?.map((one) => `${name}://${one.host}:${one.port}`)
      .join(' ')
  const detail = url ? await findServerFault(url, port) : 'its URL is no longer in the environment'
  return {
    name,
    status: detail === null ? 'up' : 'down',
    pid: null,
    url: where || '(external)',
    version: 'external',
    since: null,
    detail,
  }
}
