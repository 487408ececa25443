/** The state file of a home folder: what `up` has started, and its addresses. It never contains secrets. */
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../command.ts'
import type { ProcessId } from './process.ts'

/** One process that `up` started. */
export interface StatePart extends ProcessId {
  name: string
  /** Addresses by service; several for the embedded servers. */
  urls: Record<string, string>
  ports: Record<string, number>
  version: string
  since: string
  log: string
  /** A hash of what it was started with: when that changes, `up` starts it anew. */
  settings: string
  /** Facts of this machine that it read when it started: likewise. */
  machine?: string
  /** When `down` ended it; absent while it should be running. */
  ended?: string
}

/**
 * The origin of a server: the user's, or a part of the suite. The URL of an external one stays in the
 * environment.
 */
export type ServerSource = 'external' | 'mongod' | 'nats-server' | 'embedded'

export interface InstallationFileState {
  schema: 1
  namespace: string
  mongodb: ServerSource
  nats: ServerSource
  parts: StatePart[]
}

const getStateFile = (home: string) => join(home, 'state.json')

/**
 * The state of a home folder; null if nothing was started there.
 * @throws Failure if it is torn, or another version of the suite wrote it
 */
export function readState(home: string): InstallationFileState | null {
  const found = readStateFile(home)
  if (found === null) return null
  const { state } = found
  if (state?.schema === 1 && Array.isArray(state.parts)) return state
  throw new Failure(
    listStartedParts(state).length > 0
      ? `${getStateFile(home)} was written by another version of StateEval. 'npx stateeval down' ends what that started; then run 'npx stateeval up' again.`
      : `${getStateFile(home)} cannot be read: end the processes of StateEval, remove the file, and run 'npx stateeval up' again.`,
  )
}

/** A process that some version of the suite has started. */
type StartedPart = ProcessId & { name: string; urls?: Record<string, string> }

/** Reads the parts that a state file of any version lists as started; empty if it is unreadable. */
export const readStartedParts = (home: string): StartedPart[] => listStartedParts(readStateFile(home)?.state)

function listStartedParts(state: unknown): StartedPart[] {
  const parts: unknown = (state as { parts?: unknown } | null | undefined)?.parts
  return (Array.isArray(parts) ? (parts as Partial<StartedPart>[]) : []).filter(
    (part): part is StartedPart =>
      Number.isInteger(part?.pid) && typeof part.startedAs === 'string' && typeof part.name === 'string',
  )
}

/** Sets the file of another version aside. */
export const setStateAside = (home: string): Promise<void> =>
  rename(getStateFile(home), `${getStateFile(home)}.before`)

/** Null if there is no file; `state` is absent if it is torn. */
function readStateFile(home: string): { state?: InstallationFileState } | null {
  let text: string
  try {
    text = readFileSync(getStateFile(home), 'utf8')
  } catch (error) {
    // A home folder that is not one is reported by whoever writes to it.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
  try {
    return { state: JSON.parse(text) as InstallationFileState }
  } catch {
    return {}
  }
}

/** Replaces the state file atomically, so that a reader never sees half of it. */
export async function writeState(home: string, state: InstallationFileState): Promise<void> {
  await mkdir(home, { recursive: true })
  const temporary = `${getStateFile(home)}.${process.pid}`
  try {
    await writeFile(temporary, JSON.stringify(state, null, 2) + '\n', { mode: 0o600 })
    await rename(temporary, getStateFile(home))
  } catch (error) {
    await rm(temporary, { force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    throw new Failure(`The disk of ${home} is full. Free space on it, then run the command again.`)
  }
}
