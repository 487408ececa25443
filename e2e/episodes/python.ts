/** Episodes that the client for Python drives, as a process of its own. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AgentReply, EpisodeRequest } from '@stateeval/contracts'

export interface Plan {
  url: string
  concurrency: number
  disturbed: boolean
  episodes: { request: EpisodeRequest; replies: AgentReply[] }[]
}
export interface Driven {
  rewards: (number | null)[]
  counts: { dropped: number; repeated: number; expired: number }
  stepsPerSecond: number
  p50: number
  p99: number
}

/** The client needs no package, so any Python that is new enough will do. */
export const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0,
)

const source = join(import.meta.dirname, '../../clients/python/src')
const env = { ...process.env, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' }

/** What a script of this folder prints as JSON. */
export async function runInPython<T>(script: string, ...args: string[]): Promise<T> {
  const file = join(import.meta.dirname, script)
  const { stdout } = await promisify(execFile)(python!, [file, ...args], { env })
  return JSON.parse(stdout) as T
}

/** `onDone` is told how many episodes are done. */
export function driveInPython(plan: Plan, onDone: (count: number) => void = () => {}): Promise<Driven> {
  const child = spawn(python!, [join(import.meta.dirname, 'drive.py')], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [output, errors, done] = ['', '', 0]
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => {
    for (const line of data.toString().split('\n'))
      if (/^done \d+$/.test(line)) onDone(++done)
      else errors = (errors + line + '\n').slice(-4000)
  })
  child.stdin.end(JSON.stringify(plan))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve(JSON.parse(output) as Driven)
        : reject(new Error(`the client ended with ${code}: ${errors}`)),
    )
  })
}
