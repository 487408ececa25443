/**
 * A service in a process of its own, of which it is known whether it answers, what it holds and what it
 * keeps.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServiceName } from '@stateeval/contracts'
import { type ServiceProcess, startProcess } from '../process.ts'
import type { ProbeSummary } from './prober.ts'

export interface WatchedService extends ServiceProcess {
  /** Begins to ask it for its health. */
  watch(): void
  /**
   * Ends that, and says how health was answered meanwhile, and the longest hold of the event loop, in
   * milliseconds.
   */
  look(): Promise<ProbeSummary & { holdMs: number }>
  end(): Promise<void>
}

export async function startWatched(
  service: ServiceName,
  env: Readonly<Record<string, string | undefined>>,
  onLog?: (text: string) => void,
): Promise<WatchedService> {
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-hostile-'))
  const holds = join(folder, 'holds')
  const meter = pathToFileURL(join(import.meta.dirname, 'hold-meter.ts')).href
  const running = await startProcess(
    service,
    {
      ...env,
      STATEEVAL_TEST_HOLDS: holds,
      NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=${meter}`,
    },
    onLog,
  )
  const prober = fork(join(import.meta.dirname, 'prober.ts'), [running.url], { execArgv: [] })
  await said(prober)
  const watch = () => {
    writeFileSync(holds, '')
    prober.send('watch')
  }
  const look: WatchedService['look'] = async () => {
    const answer = said(prober)
    prober.send('look')
    const probed = (await answer) as ProbeSummary
    const lines = readFileSync(holds, 'utf8').split('\n').filter(Boolean)
    return { ...probed, holdMs: Math.max(0, ...lines.map(Number)) }
  }
  return Object.defineProperties({} as WatchedService, {
    ...Object.getOwnPropertyDescriptors(running),
    watch: { value: watch },
    look: { value: look },
    end: {
      async value() {
        prober.kill('SIGKILL')
        await running.kill()
        rmSync(folder, { recursive: true, force: true })
      },
    },
  })
}

const said = (child: ChildProcess) => new Promise((resolve) => child.once('message', resolve))
