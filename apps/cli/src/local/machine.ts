/**
 * The languages and levels that this machine supports, examined as execution does: in a separate process,
 * in real jails.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RuntimeInfo } from '@stateeval/contracts'
import { checkout, findPinnedNode } from './home.ts'

/** The part of the result that a running execution service also reports. */
export type MachineRuntime = Pick<RuntimeInfo, 'languages' | 'versions' | 'unavailable' | 'interpreters'>
/** A level of isolation: what it is, or why it does not work. */
export interface ExaminedLevel {
  level: string
  works: boolean
  detail: string
}
/** `problem`: why no program can run here. `levels` exists if it was requested. */
export type MachineExamination = ((MachineRuntime & Pick<RuntimeInfo, 'layers'>) | { problem: string }) & {
  levels?: ExaminedLevel[]
}

/** `env` is the environment of execution. With `levels`, each level of isolation is tried, too. */
export async function examineLocalMachine(
  env: NodeJS.ProcessEnv,
  { levels = false }: { levels?: boolean } = {},
): Promise<MachineExamination> {
  const script = join(checkout, 'packages/sandbox/src/examine.ts')
  try {
    const { stdout } = await promisify(execFile)(
      findPinnedNode(),
      [script, ...(levels ? ['--levels'] : [])],
      {
        env,
        cwd: checkout,
        timeout: 180_000,
        maxBuffer: 1 << 24,
      },
    )
    return JSON.parse(stdout) as MachineExamination
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    return { problem: stderr.trim().split('\n').at(-1) || message }
  }
}

/** Changes when programs would get another interpreter, or a first one. */
export function computeMachineKey(machine: MachineExamination): string {
  if ('problem' in machine) return ''
  const { interpreters, versions } = machine
  const interpreter = interpreters.find(({ problem }) => problem === undefined)
  const facts = interpreter
    ? [interpreter.path, versions]
    : interpreters.map(({ path, problem }) => [path, problem])
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12)
}

/** The part of a runtime that `up` and `status` print as JSON. */
export const selectLanguages = ({ languages, unavailable, interpreters }: MachineRuntime) => ({
  languages,
  unavailable,
  interpreters,
})

/**
 * A line for each language, with its interpreter or why it does not work; then the setting that could not
 * be applied.
 */
export function formatLanguageLines({
  languages,
  versions,
  unavailable,
  interpreters,
}: MachineRuntime): string[] {
  const interpreter = interpreters.find(({ problem }) => problem === undefined)
  const runs: Record<string, string> = {
    javascript: `Node ${versions['node'] ?? ''}`,
    python: `Python ${versions['python'] ?? ''}${interpreter ? ` (${interpreter.path})` : ''}`,
  }
  const lines = languages.map((language) => `${language}: ${runs[language] ?? 'available'}`)
  for (const [what, why] of Object.entries(unavailable)) {
    if (what === 'gvisor') continue
    lines.push(`${what}: unavailable. ${why}`)
  }
  for (const { path, source, problem } of interpreter ? interpreters : [])
    if (source === 'STATEEVAL_PYTHON' && problem !== undefined)
      lines.push(
        `STATEEVAL_PYTHON names ${path}, which cannot run programs: ${problem}. ${interpreter!.path} is used instead.`,
      )
  return lines
}
