/**
 * Examines this machine's runtimes in the same way as the execution service: `node examine.ts` prints them
 * as JSON, with --levels also the working isolation levels. Reads the service's sandbox settings from the
 * environment.
 */
import { createLocalSandbox, type LocalOptions, type LocalSandbox } from './local-sandbox.ts'
import { type IsolationLevel, levels } from '@stateeval/runtime'

type MachineRuntimes = Pick<
  LocalSandbox,
  'languages' | 'versions' | 'unavailable' | 'interpreters' | 'layers'
>

/** Rejects with a remedy if no jail can start here. */
export async function examineSandboxMachine(options: LocalOptions = {}): Promise<MachineRuntimes> {
  const sandbox = await createLocalSandbox(options)
  const { languages, versions, unavailable, interpreters, layers } = sandbox
  await sandbox.close()
  return { languages, versions, unavailable, interpreters, layers }
}

/** The result of examining one level of isolation: whether it works here, or why not, with a remedy. */
export interface ExaminedLevel {
  level: IsolationLevel
  works: boolean
  detail: string
}

const about: Readonly<Record<IsolationLevel, string>> = {
  gvisor: 'a container behind gVisor’s kernel for each input',
  'process-jail': 'a jail and a process for each input',
  'warm-jail': 'a fork of a warm process in a jail that stays',
  'unsafe-process': 'no isolation; chosen by STATEEVAL_SANDBOX=unsafe-process only',
}

/** Starts each level once if it needs more than the others. */
async function examineSandboxLevels(options: LocalOptions = {}): Promise<ExaminedLevel[]> {
  const open = (level: IsolationLevel) =>
    createLocalSandbox({ ...options, level }).catch((error: unknown) => (error as Error).message)
  const jails = await open('warm-jail')
  const examined: ExaminedLevel[] = []
  for (const level of levels) {
    const sandbox = level === 'gvisor' && typeof jails === 'string' ? await open(level) : jails
    const problem =
      level === 'unsafe-process'
        ? undefined
        : typeof sandbox === 'string'
          ? sandbox
          : await sandbox.tryLevel(level)
    examined.push({ level, works: problem === undefined, detail: problem ?? about[level] })
    if (typeof sandbox !== 'string' && sandbox !== jails) await sandbox.close()
  }
  if (typeof jails !== 'string') await jails.close()
  return examined
}

if (import.meta.main) {
  const { STATEEVAL_SANDBOX: level, STATEEVAL_SANDBOX_CACHE: cache, STATEEVAL_RUNSC: runsc } = process.env
  const options = {
    ...(level && { level: level as IsolationLevel }),
    ...(cache && { cache }),
    ...(runsc && { runsc }),
  }
  const report = await examineSandboxMachine(options).catch((error: unknown) => ({
    problem: (error as Error).message,
  }))
  const more = process.argv.includes('--levels') ? { levels: await examineSandboxLevels(options) } : {}
  process.stdout.write(`${JSON.stringify({ ...report, ...more })}\n`)
  process.exit(0)
}
