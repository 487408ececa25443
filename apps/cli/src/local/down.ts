/** Stops what `up` has started; with purge, also removes its data. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '@stateeval/local-servers/lock'
import { serviceNames } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { computeGrace } from './ensure.ts'
import { createChildEnvironment, deriveNamespace, withDotEnv } from './environment.ts'
import { checkout, findPinnedNode, prepareHome } from './home.ts'
import { type ProcessId, stop } from './process.ts'
import {
  readStartedParts,
  readState,
  setStateAside,
  type InstallationFileState,
  writeState,
} from './state.ts'

interface DownOptions {
  home: string
  purge?: boolean
  env?: NodeJS.ProcessEnv
  folder?: string
  report?: (progress: { step?: string; waiting?: string }) => void
  grace?: number
}

interface EndedPart {
  name: string
  how: 'gone already' | 'ended' | 'killed'
}

/** Stops services first, then their servers. The state file stays, so the next `up` uses the same ports. */
export async function stopSuite({
  home,
  purge = false,
  env = process.env,
  folder = checkout,
  report = () => {},
  grace,
}: DownOptions): Promise<EndedPart[]> {
  await prepareHome(home)
  return withLock(
    join(home, 'lock'),
    () => report({ step: 'Waiting for another `up` or `down` to finish' }),
    async () => {
      const others = isOfAnotherVersion(home) ? readStartedParts(home) : []
      const state = others.length > 0 ? null : readState(home)
      const settings = withDotEnv(folder, env)
      const graceMs = grace ?? computeGrace(settings)
      const end = (parts: (ProcessId & { name: string; ended?: string })[]) =>
        Promise.all(
          parts.map(async (part) => {
            const how = await stop(part, graceMs)
            // The next `up` then knows that it was meant.
            part.ended ??= new Date().toISOString()
            return { name: part.name, how }
          }),
        )
      const isService = ({ name }: { name: string }) => (serviceNames as string[]).includes(name)
      report({ waiting: 'ending the services' })
      const started = state?.parts ?? others
      const endings = await end(started.filter(isService))
      if (purge) await purgeExternal(state, home, settings, report)
      endings.push(...(await end(started.filter((part) => !isService(part)))))
      if (state) await writeState(home, state)
      else if (others.length > 0) await setStateAside(home)
      if (purge)
        for (const name of ['data', 'logs', 'state.json'])
          await rm(join(home, name), { recursive: true, force: true })
      return endings
    },
  )
}

/** Its processes can be ended all the same, as far as it names them. */
function isOfAnotherVersion(home: string): boolean {
  try {
    readState(home)
    return false
  } catch (error) {
    if (error instanceof Failure) return true
    throw error
  }
}

/** On servers that others may use too, only what bears this checkout's namespace goes. */
async function purgeExternal(
  state: InstallationFileState | null,
  home: string,
  env: NodeJS.ProcessEnv,
  report: (progress: { step: string }) => void,
): Promise<void> {
  const settings: Record<string, string> = {}
  if (state?.mongodb === 'external' && env.MONGODB_URI) settings.MONGODB_URI = env.MONGODB_URI
  if (state?.nats === 'external' && env.NATS_URL) settings.NATS_URL = env.NATS_URL
  if (Object.keys(settings).length === 0) return
  const namespace = state?.namespace ?? deriveNamespace(home, env)
  const { MONGODB_URI: _m, NATS_URL: _n, ...rest } = createChildEnvironment(env, {})
  try {
    const script = join(checkout, 'packages/local-servers/src/purge.ts')
    const { stdout } = await promisify(execFile)(findPinnedNode(), [script, namespace], {
      env: { ...rest, ...settings },
      timeout: 60_000,
    })
    if (stdout.trim()) report({ step: stdout.trim() })
  } catch (error) {
    const lastLine = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1)
    throw new Failure(
      `The data of namespace ${namespace} on your own servers could not be removed (${lastLine || (error as Error).message}): check MONGODB_URI and NATS_URL and run 'npx stateeval down --purge' again.`,
    )
  }
}
