/**
 * What this machine can run programs with, found out as execution does: in a process of its own, in real
 * jails.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RuntimeInfo } from '@stateeval/contracts'
import { checkout, pinnedNode } from './home.ts'

/** What a running execution tells of itself, too. */
export type Machine = Pick<RuntimeInfo, 'languages' | 'versions' | 'unavailable' | 'interpreters'>
/** Of one level of isolation: why it does not work, or what it is. */
export interface ExaminedLevel {
  level: string
  works: boolean
  detail: string
}
/** `problem`: nothing can be run here, and why. `levels` are there where they were asked for. */
export type Examination = ((Machine & Pick<RuntimeInfo, 'layers'>) | { problem: string }) & {
  levels?: ExaminedLevel[]
}

/** `env` is what execution is started with. With `levels`, each level of isolation is tried, too. */
export async function examineMachine(
  env: NodeJS.ProcessEnv,
  { levels = false }: { levels?: boolean } = {},
): Promise<Examination> {
  const script = join(checkout, 'packages/sandbox/src/examine.ts')
  try {
    const { stdout } = await promisify(execFile)(pinnedNode(), [script, ...(levels ? ['--levels'] : [])], {
      env,
      cwd: checkout,
      timeout: 180_000,
      maxBuffer: 1 << 24,
    })
    return JSON.parse(stdout) as Examination
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    return { problem: stderr.trim().split('\n').at(-1) || message }
  }
}

/** Changes when programs would get another interpreter, or one where there was none. */
export function machineKey(machine: Examination): string {
  if ('problem' in machine) return ''
  const { interpreters, versions } = machine
  const interpreter = interpreters.find(({ problem }) => problem === undefined)
  const facts = interpreter
    ? [interpreter.path, versions]
    : interpreters.map(({ path, problem }) => [path, problem])
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12)
}

/** What `up` and `status` tell of a runtime, for programs. */
export const languagesIn = ({ languages, unavailable, interpreters }: Machine) => ({
  languages,
  unavailable,
  interpreters,
})

/**
 * A line for each language: with what it runs, or why it doesn’t; then the setting that could not be
 * followed.
 */
export function languageLines({ languages, versions, unavailable, interpreters }: Machine): string[] {
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
        `STATEEVAL_PYTHON names ${path}, which can’t run programs: ${problem}. ${interpreter!.path} is used instead.`,
      )
  return lines
}
