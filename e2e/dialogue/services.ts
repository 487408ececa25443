/** The services that a dialogue needs, as processes that know the dialogue benchmark and may be killed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServiceName } from '@stateeval/contracts'
import { namespace, type Servers, type ServiceProcess, startProcess } from '@stateeval/testkit'
import { callerAt } from '../../services/evaluation/test/over-http.ts'

const register = pathToFileURL(join(import.meta.dirname, '../../packages/testkit/src/dialogue/register.ts'))
export const parts = ['evaluation', 'execution', 'scoring'] as const
type Part = (typeof parts)[number]

export interface DialogueServices {
  processes: Readonly<Record<Part, ServiceProcess>>
  /** Further replicas of the same services. */
  replicas: ServiceProcess[]
  caller: ReturnType<typeof callerAt>
  stop(): Promise<void>
}

export async function startDialogueServices(
  servers: Servers,
  facts: string,
  { replicas: replicaCount = 0 } = {},
): Promise<DialogueServices> {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-dialogue-'))
  const apis = join(folder, 'apis.json')
  await writeFile(apis, JSON.stringify({ facts: { baseUrl: facts } }))
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    LOG_LEVEL: 'silent',
  }
  const envOf = (part: ServiceName) =>
    part === 'execution'
      ? env
      : {
          ...env,
          NODE_OPTIONS: `--import=${register.href}`,
          ...(part === 'evaluation' && { STATEEVAL_LIVE_APIS_FILE: apis }),
        }
  const start = async (part: Part) => [part, await startProcess(part, envOf(part))] as const
  const processes = Object.fromEntries(await Promise.all(parts.map(start))) as Record<Part, ServiceProcess>
  const replicas: ServiceProcess[] = []
  for (let n = 0; n < replicaCount; n++)
    for (const part of parts) replicas.push(await startProcess(part, envOf(part)))
  return {
    processes,
    replicas,
    caller: callerAt(() => processes.evaluation.url),
    async stop() {
      await Promise.all([...Object.values(processes), ...replicas].map((one) => one.kill()))
      await rm(folder, { recursive: true })
    },
  }
}
