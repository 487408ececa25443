/** Starts the servers and the five services of one home folder, or finds them running. */
import { join } from 'node:path'
import { withLock } from '@stateeval/local-servers/lock'
import { type EnsureContext, ensure, computeGrace } from './ensure.ts'
import { createChildEnvironment, deriveNamespace, withDotEnv } from './environment.ts'
import { checkout, prepareHome } from './home.ts'
import { type MachineExamination, examineLocalMachine, computeMachineKey } from './machine.ts'
import { stop } from './process.ts'
import { planServers } from './servers.ts'
import { type EntryOf, planServices } from './services.ts'
import { readState, type InstallationFileState, writeState } from './state.ts'
import { removeTelemetryFiles } from './telemetry-files.ts'

export interface UpOptions {
  /** The folder of state, logs and data. */
  home: string
  env?: NodeJS.ProcessEnv
  /** The folder of .env. */
  folder?: string
  entryOf?: EntryOf
  report?: EnsureContext['report']
  timeoutMs?: number
  signal?: AbortSignal
  /** Finds out what programs can be run with. */
  examine?: (env: NodeJS.ProcessEnv) => Promise<MachineExamination>
}

/**
 * Starts what is missing; afterwards every part of the state runs and answers. Safe at any time, also
 * concurrently with another `up` of the same folder.
 * @throws Failure with the remedy
 */
export async function startSuite(options: UpOptions): Promise<InstallationFileState> {
  const {
    home,
    folder = checkout,
    entryOf,
    report = () => {},
    timeoutMs = 120_000,
    signal,
    examine = examineLocalMachine,
  } = options
  await prepareHome(home)
  const lock = join(home, 'lock')
  return withLock(
    lock,
    () => report({ step: 'Waiting for another `up` or `down` to finish' }),
    async () => {
      const env = withDotEnv(folder, options.env ?? process.env)
      const removed = await removeTelemetryFiles(env)
      if (removed !== null) report({ step: `Removed what telemetry of ONNX Runtime had stored: ${removed}` })
      const before = readState(home)
      const examined = examine(createChildEnvironment(env, {}))
      const servers = await planServers(home, env, before, (step) => report({ step }))
      const state: InstallationFileState = {
        schema: 1,
        namespace: before?.namespace ?? deriveNamespace(home, env),
        ...servers.sources,
        parts: before?.parts ?? [],
      }
      if (env.STATEEVAL_NAMESPACE) state.namespace = env.STATEEVAL_NAMESPACE
      const graceMs = computeGrace(env)
      const context: EnsureContext = { home, state, report, timeoutMs, graceMs, ...(signal && { signal }) }

      const urls: Record<string, string> = { ...servers.external }
      for (const part of await ensure(servers.parts, context)) Object.assign(urls, part.urls)
      const settings = {
        MONGODB_URI: urls.mongodb as string,
        NATS_URL: urls.nats as string,
        STATEEVAL_NAMESPACE: state.namespace,
        // On one machine, models may be on it, too.
        STATEEVAL_MODEL_NETWORKS: env.STATEEVAL_MODEL_NETWORKS ?? 'loopback',
        // And so may receivers of webhooks.
        STATEEVAL_WEBHOOK_NETWORKS: env.STATEEVAL_WEBHOOK_NETWORKS ?? 'loopback',
      }
      const services = planServices(
        createChildEnvironment(env, settings),
        entryOf,
        computeMachineKey(await examined),
      )
      await ensure(services, context)

      const partNames = new Set([...servers.parts, ...services].map((plan) => plan.name))
      // A server that an external one replaces.
      for (const part of state.parts.filter(({ name }) => !partNames.has(name))) await stop(part, graceMs)
      state.parts = [...servers.parts, ...services].map(
        (plan) =>
          state.parts.find((part) => part.name === plan.name) as InstallationFileState['parts'][number],
      )
      await writeState(home, state)
      return state
    },
  )
}
