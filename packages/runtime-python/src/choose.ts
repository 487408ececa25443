/**
 * Chooses the interpreter of candidates: the first that starts in a jail of this machine and has requests
 * there.
 */
import { createHash } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JailCommand, JailImage, JailCapabilities } from '@stateeval/jail'
import { defaultLimits, JailCell } from '@stateeval/runtime'
import { type InterpreterCandidate, listPythonCandidates } from './candidates.ts'
import { preparePythonRuntime, createPythonImage, type PythonRuntime } from './image.ts'
import { describePython, findMissingDescription } from './interpreter.ts'
import { findObstacle } from './obstacle.ts'

/** An examined interpreter: it runs candidates, or there is a problem. */
export interface ExaminedInterpreter extends InterpreterCandidate {
  /** Version of Python itself, if it could be asked. */
  version?: string
  problem?: string
}

interface PythonChoice {
  /** undefined where no interpreter can run candidates. */
  runtime: PythonRuntime | undefined
  /** In the order in which they were tried; the last one is the choice, where there is one. */
  examinations: readonly ExaminedInterpreter[]
}

interface ChoiceOptions {
  /** A folder that is ours and nobody else may write to. */
  cache: string
  walls: JailCapabilities
  /** How a jail for the trial is started, one without HTTP. */
  commandOf: (image: JailImage) => JailCommand | Promise<JailCommand>
  /** Tried first. Default: what STATEEVAL_PYTHON names. */
  python?: string | undefined
  /** Folders divided by colons. Default: PATH. */
  search?: string | undefined
  /** Tried last. Default: where systems have it. */
  usual?: readonly string[]
}

/** Modules loaded for every candidate, in addition to those that its world requests. */
export const always = ['requests']

/** Tries interpreters one after another until one works. */
export async function choosePython(options: ChoiceOptions): Promise<PythonChoice> {
  const { python = process.env['STATEEVAL_PYTHON'], search = process.env['PATH'] ?? '' } = options
  const examinations: ExaminedInterpreter[] = []
  for (const candidate of listPythonCandidates(python, search, options.usual)) {
    const result = await examineInterpreter(candidate.path, options)
    examinations.push({
      ...candidate,
      ...(result.version !== undefined && { version: result.version }),
      ...('problem' in result && { problem: result.problem }),
    })
    if ('runtime' in result) return { runtime: result.runtime, examinations }
  }
  return { runtime: undefined, examinations }
}

type InterpreterChoice = { runtime: PythonRuntime; version: string } | { problem: string; version?: string }

async function examineInterpreter(path: string, options: ChoiceOptions): Promise<InterpreterChoice> {
  const { cache, walls } = options
  const lacks = findMissingDescription(path, cache)
  if (lacks !== undefined) return { problem: lacks }
  try {
    const { versions } = describePython(path, cache)
    const version = versions['python']!
    if (!('requests' in versions)) return { version, problem: 'its requests cannot be imported' }
    const runtime = preparePythonRuntime(cache, path, walls)
    const problem = await findJailProblem(runtime, options)
    return problem === undefined ? { runtime, version } : { version, problem }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/**
 * Why it doesn’t start in a jail with requests; undefined where it does. What worked before isn’t tried again
 * as long as its files, and who may read them, are the same.
 */
async function findJailProblem(
  runtime: PythonRuntime,
  { cache, walls, commandOf }: ChoiceOptions,
): Promise<string | undefined> {
  const mark = join(cache, `python-works-${computeStamp(runtime, walls)}`)
  if (existsSync(mark)) return undefined
  const image = createPythonImage(runtime, {
    port: 'none',
    preload: always,
    alone: defaultLimits,
  })
  const jail = new JailCell(await commandOf(image), 'process-jail', defaultLimits, true)
  try {
    await jail.ready()
    writeFileSync(mark, '')
    return undefined
  } catch (error) {
    return findObstacle(runtime.binds) ?? `it does not start in a jail: ${(error as Error).message}`
  } finally {
    await jail.release()
  }
}

/**
 * Computes a stamp of everything that the outcome depends on: the runner, the files, and the paths to them.
 */
function computeStamp(
  { runner, binds, executable }: PythonRuntime,
  { jailed, machine }: JailCapabilities,
): string {
  const hash = createHash('sha256').update(
    JSON.stringify([runner, executable, jailed, machine, process.getuid?.()]),
  )
  const checkedPaths = new Set<string>()
  for (const { source, target } of binds) {
    hash.update(`\0${source}\0${target}\0${statSync(source).ctimeMs}`)
    for (let path = source; !checkedPaths.has(path); path = dirname(path)) {
      checkedPaths.add(path)
      const { mode, uid, gid } = statSync(path)
      hash.update(`\0${path}\0${mode}.${uid}.${gid}`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

const remedy =
  'Install python3 with requests for all users (apt-get install python3 python3-requests), or name an interpreter that everyone may run in STATEEVAL_PYTHON. Then restart execution (npx stateeval up).'

/** Why no interpreter works, with a remedy. */
export function describeMissingPython(examinations: readonly ExaminedInterpreter[]): string {
  const problems = examinations.map(({ path, problem }) => `${path}: ${problem}`)
  return `${problems.length > 0 ? `No python3 of this machine can run programs (${problems.join('; ')})` : 'There is no python3 on this machine'}. ${remedy}`
}
