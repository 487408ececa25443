/** Python: children of a preloaded process, in a warm jail or one by one in jails of their own. */
import type { Limits } from '@stateeval/contracts'
import type { Cell } from '../cell.ts'
import { jailCommand, type Walls } from '../jail/command.ts'
import { type LanguageRuntime, levelAlone } from '../language.ts'
import { defaultLimits, tmpBytes } from '../limits.ts'
import { warmCells } from '../warm/cells.ts'
import { WarmRunner } from '../warm/runner.ts'
import { preparePythonRuntime, pythonImage } from './image.ts'
import { preparePython } from './prepare.ts'

export interface PythonOptions {
  /** A folder that is ours and nobody else may write to. */
  cache: string
  /** What a jail is made of here. */
  walls: Walls
  /** Warm runners kept. */
  mostIdle: number
  /** The interpreter. Default: what STATEEVAL_PYTHON names, else the first python3 with requests. */
  python?: string
  preload?: readonly string[]
}

/** Throws, with what to install, where there is no interpreter with requests. */
export function createPython({ cache, walls, mostIdle, python, preload = ['requests'] }: PythonOptions): LanguageRuntime {
  const runtime = preparePythonRuntime(cache, python)
  const runner = (limits: Limits, http: boolean, alone: boolean) =>
    new WarmRunner(jailCommand(pythonImage(runtime, { walls, http, preload, alone }), walls, { tmpBytes: tmpBytes(limits) }), true)
  const warm = warmCells((http) => runner(defaultLimits, http, false), mostIdle)
  return {
    language: 'python',
    versions: runtime.versions,
    fingerprint: runtime.runner.split('/').at(-1)!,
    walls,
    prepare: preparePython,
    async single(limits, http): Promise<Cell> {
      const own = await runner(limits, http, true).ready()
      return {
        level: levelAlone(walls),
        // There is nowhere else to go from here: what it did to its runner is its own ending.
        run: (job) => own.run(job).then((end) => ({ ...end, bail: null })),
        release: () => own.close(),
      }
    },
    warm: (http) => warm.take(http),
    close: () => warm.close(),
  }
}
