/**
 * What this machine has for programs, found out as the service that runs them does: `node examine.ts` prints
 * it as JSON. Reads that service's settings of the sandbox from the environment.
 */
import { createLocalSandbox, type LocalOptions, type LocalSandbox } from './local-sandbox.ts'
import type { Level } from './level.ts'

type Machine = Pick<LocalSandbox, 'languages' | 'versions' | 'unavailable' | 'interpreters' | 'layers'>

/** Rejects where no jail can be started here, with what to do about it. */
export async function examineMachine(options: LocalOptions = {}): Promise<Machine> {
  const sandbox = await createLocalSandbox(options)
  const { languages, versions, unavailable, interpreters, layers } = sandbox
  await sandbox.close()
  return { languages, versions, unavailable, interpreters, layers }
}

if (import.meta.main) {
  const { STATEEVAL_SANDBOX: level, STATEEVAL_SANDBOX_CACHE: cache, STATEEVAL_RUNSC: runsc } = process.env
  const options = {
    ...(level && { level: level as Level }),
    ...(cache && { cache }),
    ...(runsc && { runsc }),
  }
  const report = await examineMachine(options).catch((error: unknown) => ({
    problem: (error as Error).message,
  }))
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit(0)
}
