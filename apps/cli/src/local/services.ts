/** The five services as parts of the running suite. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline, type ServiceName } from '@stateeval/contracts'
import { computeSettingsHash } from './environment.ts'
import { checkout, findPinnedNode } from './home.ts'
import { type PartPlan, findServiceFault } from './part.ts'

/** Returns the path of a service's entry file. */
export type EntryOf = (service: ServiceName) => string

const serviceEntry: EntryOf = (service) => join(checkout, 'services', service, 'src/main.ts')

/**
 * @param env of every service; its port and address are added
 * @param machine a key of what execution finds on this machine at its start; '' if unknown
 */
export function planServices(
  env: NodeJS.ProcessEnv,
  entryOf: EntryOf = serviceEntry,
  machine = '',
): PartPlan[] {
  const node = findPinnedNode()
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
  return pipeline.map(({ service, port }) => ({
    name: service,
    version,
    ports: { http: port },
    urls: (ports) => ({ http: `http://127.0.0.1:${ports.http}` }),
    command: (ports) => ({
      file: node,
      args: [entryOf(service)],
      env: { ...env, HOST: '127.0.0.1', PORT: String(ports.http) },
      cwd: checkout,
    }),
    settings: computeSettingsHash(env),
    ...(service === 'execution' && machine && { machine }),
    notReady: (urls) => findServiceFault(urls.http as string),
  }))
}
