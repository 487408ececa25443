/**
 * MongoDB and NATS: the user's (MONGODB_URI and NATS_URL), otherwise those on PATH, otherwise the embedded
 * ones.
 */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BuildError, resolveLocalBinary } from '@stateeval/local-servers/build'
import { Failure } from '../command.ts'
import { type PartPlan, parseServerHosts, findServerFault } from './part.ts'
import { computeSettingsHash } from './environment.ts'
import type { ServerSource, InstallationFileState } from './state.ts'

const defaultPorts = { mongodb: 27017, nats: 4222 } as const
type ServerName = keyof typeof defaultPorts
const serverNames = ['mongodb', 'nats'] as const
const settingNames = { mongodb: 'MONGODB_URI', nats: 'NATS_URL' } as const
const onPathNames = { mongodb: 'mongod', nats: 'nats-server' } as const

interface ServersPlan {
  sources: Record<ServerName, ServerSource>
  /** URLs of external servers. */
  external: Partial<Record<ServerName, string>>
  parts: PartPlan[]
}

/**
 * Chooses what provides the two servers. A provider whose data the home folder contains is kept while it is
 * available.
 */
export async function planServers(
  home: string,
  env: NodeJS.ProcessEnv,
  state: InstallationFileState | null,
  progress: (text: string) => void,
): Promise<ServersPlan> {
  const sources = {
    mongodb: getServerSource('mongodb', env, state),
    nats: getServerSource('nats', env, state),
  }
  const external: ServersPlan['external'] = {}
  const parts: PartPlan[] = []
  for (const name of serverNames) {
    if (sources[name] === 'external') external[name] = await isServerReachable(name, env)
    else if (sources[name] !== 'embedded') parts.push(planOwnServer(name, join(home, 'data'), env))
  }
  const embedded = serverNames.filter((name) => sources[name] === 'embedded')
  if (embedded.length)
    parts.push(
      planEmbeddedServers(
        await resolveServerBinary(env, progress),
        embedded,
        join(home, 'data/embedded'),
        env,
      ),
    )
  return { sources, external, parts }
}

function getServerSource(
  name: ServerName,
  env: NodeJS.ProcessEnv,
  state: InstallationFileState | null,
): ServerSource {
  if (env[settingNames[name]]) return 'external'
  const before = state?.[name]
  if (before === 'embedded') return before
  return onPath(onPathNames[name], env) ? onPathNames[name] : 'embedded'
}

async function isServerReachable(name: ServerName, env: NodeJS.ProcessEnv): Promise<string> {
  const url = env[settingNames[name]] as string
  const problem = await findServerFault(url, defaultPorts[name], 5_000)
  if (problem === null) return url
  const where = parseServerHosts(url, defaultPorts[name])
    ?.map(({ host, port }) => `${host}:${port}`)
    .join(', ')
  throw new Failure(
    `${settingNames[name]} names ${where}, where nothing answers (${problem}): start that server, or unset ${settingNames[name]} to use StateEval's embedded one.`,
  )
}

async function resolveServerBinary(
  env: NodeJS.ProcessEnv,
  progress: (text: string) => void,
): Promise<string> {
  try {
    return await resolveLocalBinary({ env, progress })
  } catch (error) {
    if (error instanceof BuildError) throw new Failure(`${error.message}.`)
    throw error
  }
}

/** The path of a program; undefined if it is not on PATH. */
export function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const candidates = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const formatServerUrl = (name: ServerName, port: number) => `${name}://127.0.0.1:${port}`

function planOwnServer(name: ServerName, data: string, env: NodeJS.ProcessEnv): PartPlan {
  const file = onPath(onPathNames[name], env) as string
  const folder = join(data, onPathNames[name])
  return {
    name: onPathNames[name],
    version: 'of this system',
    ports: { [name]: defaultPorts[name] },
    urls: (ports) => ({ [name]: formatServerUrl(name, ports[name] as number) }),
    command: (ports) => {
      mkdirSync(folder, { recursive: true })
      const port = String(ports[name])
      const args =
        name === 'mongodb'
          ? ['--quiet', '--bind_ip', '127.0.0.1', '--port', port, '--dbpath', folder]
          : ['-a', '127.0.0.1', '-p', port, '-js', '-sd', folder]
      return { file, args, env, cwd: folder }
    },
    settings: computeSettingsHash({ STATEEVAL_FILE: file }),
    notReady: (urls) => findServerFault(urls[name] as string, defaultPorts[name]),
  }
}

function planEmbeddedServers(
  file: string,
  names: ServerName[],
  folder: string,
  env: NodeJS.ProcessEnv,
): PartPlan {
  return {
    name: 'embedded-servers',
    version: /local-([0-9a-f]{8})/.exec(file)?.[1] ?? 'given',
    ports: Object.fromEntries(names.map((name) => [name, defaultPorts[name]])),
    urls: (ports) =>
      Object.fromEntries(names.map((name) => [name, formatServerUrl(name, ports[name] as number)])),
    command: (ports) => {
      mkdirSync(folder, { recursive: true })
      const address = (name: ServerName) => (names.includes(name) ? `127.0.0.1:${ports[name]}` : '')
      return {
        file,
        args: ['-data', folder, '-mongodb', address('mongodb'), '-nats', address('nats')],
        env,
        cwd: folder,
      }
    },
    settings: computeSettingsHash({ STATEEVAL_FILE: file, STATEEVAL_NAMES: names.join() }),
    notReady: async (urls) => {
      for (const name of names) {
        const problem = await findServerFault(urls[name] as string, defaultPorts[name])
        if (problem !== null) return problem
      }
      return null
    },
  }
}
