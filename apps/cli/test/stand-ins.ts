/** A home folder of its own with stand-ins for the servers and services. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { patience } from '@stateeval/testkit/patience'
import { stopSuite } from '../src/local/down.ts'
import { findPinnedNode } from '../src/local/home.ts'
import type { MachineExamination } from '../src/local/machine.ts'
import type { InstallationFileState } from '../src/local/state.ts'
import { startSuite, type UpOptions } from '../src/local/up.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

export interface Home {
  home: string
  env: NodeJS.ProcessEnv
  steps: string[]
  /** What this machine has for programs, as a test has it. */
  machine: MachineExamination
  up: (more?: Partial<UpOptions>) => Promise<InstallationFileState>
  down: (purge?: boolean, grace?: number) => ReturnType<typeof stopSuite>
  /** Ends everything and removes the folder. */
  remove: () => Promise<void>
}

export async function createHome(more: NodeJS.ProcessEnv = {}): Promise<Home> {
  const home = await mkdtemp(join(tmpdir(), 'stateeval-home-'))
  const env = {
    PATH: `${dirname(findPinnedNode())}:/usr/bin:/bin`,
    HOME: home,
    STATEEVAL_LOCAL_BINARY: join(fixtures, 'servers.mjs'),
    ...more,
  }
  const steps: string[] = []
  const folder = home // its .env
  const report = ({ step }: { step?: string }) => step && steps.push(step)
  const end = (purge = false, grace = 10_000) => stopSuite({ home, purge, env, folder, grace })
  const examine = async () => one.machine
  const one: Home = {
    home,
    env,
    steps,
    machine: withPython('/usr/bin/python3'),
    up: (options = {}) =>
      startSuite({
        home,
        env,
        folder,
        report,
        entryOf: () => join(fixtures, 'service.mjs'),
        timeoutMs: patience(20_000),
        examine,
        ...options,
      }),
    down: end,
    remove: async () => {
      await end(false, 100)
      await rm(home, { recursive: true, force: true })
    },
  }
  return one
}

const about = { versions: { node: 'v24.0.0', python: '3.11.2', requests: '2.28.1' }, layers: [] }
export const withPython = (path: string): MachineExamination => ({
  ...about,
  languages: ['javascript', 'python'],
  unavailable: {},
  interpreters: [{ path, source: 'PATH', version: '3.11.2' }],
})
export const withoutPython = (problem: string): MachineExamination => ({
  ...about,
  languages: ['javascript'],
  unavailable: { python: `${problem}. Install it.` },
  interpreters: [{ path: '/usr/bin/python3', source: 'PATH', problem }],
})
