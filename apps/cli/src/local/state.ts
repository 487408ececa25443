/** The state file of a home folder: what `up` has started, and its addresses. It never contains secrets. */
import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../command.ts'
import type { ProcessId } from './process.ts'

/** One process that `up` started. */
export interface Part extends ProcessId {
  name: string
  /** Where it answers; several for the embedded servers. */
  urls: Record<string, string>
  ports: Record<string, number>
  version: string
  since: string
  log: string
  /** A hash of what it was started with: when that changes, `up` starts it anew. */
  settings: string
  /** What of this machine it looked at when it started: likewise. */
  machine?: string
  /** When `down` ended it; absent while it should be running. */
  ended?: string
}

/**
 * The origin of a server: the user's, or a part of the suite. The URL of an external one stays in the
 * environment.
 */
export type ServerSource = 'external' | 'mongod' | 'nats-server' | 'embedded'

export interface State {
  schema: 1
  namespace: string
  mongodb: ServerSource
  nats: ServerSource
  parts: Part[]
}

const file = (home: string) => join(home, 'state.json')

/** The state of a home folder; null if nothing was started there. */
export function readState(home: string): State | null {
  let text: string
  try {
    text = readFileSync(file(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const state = JSON.parse(text) as State
    if (state.schema === 1 && Array.isArray(state.parts)) return state
  } catch {
    // told below
  }
  throw new Failure(
    `${file(home)} cannot be read: end the processes it names, remove it, and run 'npx stateeval up' again.`,
  )
}

/** Replaces the state file atomically, so that a reader never sees half of it. */
export async function writeState(home: string, state: State): Promise<void> {
  await mkdir(home, { recursive: true })
  const temporary = `${file(home)}.${process.pid}`
  await writeFile(temporary, JSON.stringify(state, null, 2) + '\n', { mode: 0o600 })
  await rename(temporary, file(home))
}
