/** Python: children of a preloaded process, in a warm jail or in separate jails. */
import type { ExecutionLimits } from '@stateeval/contracts'
import {
  type CanaryRules,
  type ProgramCell,
  type CellKind,
  defaultLimits,
  ForkingRunner,
  JailCell,
  type LanguageRuntime,
  type IsolationLevel,
  getSeparateLevel,
  computeTmpBytes,
  createWarmCells,
} from '@stateeval/runtime'
import {
  getForwardedPort,
  type JailCommand,
  buildJailCommand,
  getPort,
  type JailCapabilities,
} from '@stateeval/jail'
import { canary } from './canary.ts'
import { always } from './choose.ts'
import { createPythonImage, type PythonRuntime } from './image.ts'
import { preparePython } from './prepare.ts'

interface PythonOptions {
  /** The walls of jails on this machine. */
  walls: JailCapabilities
  /** Warm runners kept. */
  maxIdle: number
  canaries: CanaryRules
  /** An interpreter that works in these walls. */
  runtime: PythonRuntime
}

export function createPython({ walls, maxIdle, canaries, runtime }: PythonOptions): LanguageRuntime {
  const imageOf = (
    { preload }: CellKind,
    port: string,
    alone: ExecutionLimits | undefined,
    contained = false,
  ) => createPythonImage(runtime, { port, preload: [...always, ...preload], alone, contained })
  const command = (kind: CellKind, limits: ExecutionLimits, alone: ExecutionLimits | undefined) =>
    buildJailCommand(imageOf(kind, getPort(walls, kind.http), alone), walls, {
      tmpBytes: computeTmpBytes(limits),
    })
  const ready = async (
    command: JailCommand,
    level: IsolationLevel,
    limits: ExecutionLimits,
  ): Promise<ProgramCell> => {
    const jail = new JailCell(command, level, limits, true)
    await jail.ready()
    return jail
  }
  const warm = createWarmCells({
    make: (kind) =>
      new ForkingRunner(
        command(kind, defaultLimits, undefined),
        { surface: null },
        { ...canaries, program: canary },
        false,
      ),
    nameOf: ({ http, preload }) => [http, ...preload].join(),
    maxIdle,
  })
  return {
    language: 'python',
    versions: runtime.versions,
    fingerprint: runtime.runner.split('/').at(-1)!,
    walls,
    prepare: preparePython,
    single: (limits, kind) => ready(command(kind, limits, limits), getSeparateLevel(walls), limits),
    async contained(containers, limits, kind) {
      const image = imageOf(kind, getForwardedPort(kind.http), limits, true)
      const command = await containers.command(image, { tmpBytes: computeTmpBytes(limits) }, kind.http)
      return ready(command, 'gvisor', limits)
    },
    warm: (kind, owner) => warm.take(kind, owner),
    lacks: (preload) => findMissingModules(runtime, preload),
    close: () => warm.close(),
  }
}

function findMissingModules(
  { versions, executable, unusable = {} }: PythonRuntime,
  preload: readonly string[],
): string | undefined {
  const names = preload.filter((name) => !(name in versions))
  if (names.length === 0) return undefined
  if (names.join() === 'torch.cuda')
    return `torch of ${executable} was built without CUDA. Install a torch with CUDA for all users, or name an interpreter that has one in STATEEVAL_PYTHON. Then restart execution (npx stateeval up).`
  const obstacles = names.flatMap((name) =>
    unusable[name] === undefined
      ? []
      : [`${name} of ${executable} cannot be used in a jail: ${unusable[name]}`],
  )
  const why = obstacles.length > 0 ? obstacles.join('; ') : `${executable} has no ${names.join(' and ')}`
  return `${why}. Install it for all users (apt-get install ${names.map((name) => `python3-${name}`).join(' ')}), or name an interpreter that has it in STATEEVAL_PYTHON. Then restart execution (npx stateeval up).`
}
