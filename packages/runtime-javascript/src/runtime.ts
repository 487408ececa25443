/** JavaScript: a jail with a node process per program, or forks of a warm one. */
import type { ExecutionLimits } from '@stateeval/contracts'
import { handoverFd } from '@stateeval/jail/channel'
import {
  type CanaryRules,
  type ProgramCell,
  defaultLimits,
  ForkingRunner,
  JailCell,
  type LanguageRuntime,
  getSeparateLevel,
  computeTmpBytes,
  createWarmCells,
} from '@stateeval/runtime'
import {
  getForwardedPort,
  buildJailCommand,
  type JailImage,
  getPort,
  probe,
  type JailCapabilities,
} from '@stateeval/jail'
import { canary } from './canary.ts'
import { prepareWithin } from './program/prepare-apart.ts'
import { forkArgs, prepareRuntime, type NodeRuntime } from './image.ts'

/** V8 ends a program that needs more; what isn’t heap (buffers) is seen from outside. */
const computeHeapMiB = (limits: ExecutionLimits) => Math.floor(limits.memoryMiB * 0.75)
const small = ['--v8-pool-size=1', '--min-semi-space-size=16']

interface JavascriptOptions {
  /** The node binary that candidates get. */
  node: string
  /** A folder that is ours and nobody else may write to. */
  cache: string
  jailed: boolean
  /** The walls of jails on this machine, where they are known. */
  knownWalls?: JailCapabilities
  /** False: without control groups, as where none can be made. */
  groups?: boolean
  /** Warm runners kept. */
  maxIdle: number
  canaries: CanaryRules
}

/** Prepares the runtime and probes the machine. Rejects with a remedy if no jail is possible. */
export async function createJavascript({
  node,
  cache,
  jailed,
  knownWalls,
  groups = true,
  maxIdle,
  canaries,
}: JavascriptOptions): Promise<LanguageRuntime> {
  const runtime = prepareRuntime(node, cache)
  const argsOf = (limits: ExecutionLimits) => [`--max-old-space-size=${computeHeapMiB(limits)}`, ...small]
  const boundsOf = (limits: ExecutionLimits) => ({
    tmpBytes: computeTmpBytes(limits),
    cpuSeconds: limits.cpuSeconds + 1,
  })
  const single = (walls: JailCapabilities, limits: ExecutionLimits, http: boolean) => {
    const command = buildJailCommand(
      createImage(runtime, argsOf(limits), getPort(walls, http)),
      walls,
      boundsOf(limits),
    )
    return new JailCell(command, getSeparateLevel(walls), limits)
  }
  // An operator whose programs all run in containers needs no bubblewrap.
  const walls = {
    ...(knownWalls ?? (await probe(jailed, (walls) => single(walls, defaultLimits, true)))),
    groups,
  }
  const warm = createWarmCells({
    make({ http, surface, memoryMiB }) {
      const limits = { ...defaultLimits, memoryMiB }
      const args = [`--max-old-space-size=${computeHeapMiB(limits)}`, ...forkArgs]
      const command = buildJailCommand(createForkerImage(runtime, args, getPort(walls, http)), walls, {
        tmpBytes: computeTmpBytes(limits),
      })
      return new ForkingRunner(command, { surface }, { ...canaries, program: canary })
    },
    nameOf: ({ http, surface, memoryMiB }) => [http, memoryMiB, surface?.key].join(),
    maxIdle,
  })
  return {
    language: 'javascript',
    versions: runtime.versions,
    fingerprint: runtime.runner.split('/').at(-1)!,
    walls,
    prepare: prepareWithin,
    async single(limits, { http }): Promise<ProgramCell> {
      const jail = single(walls, limits, http)
      await jail.ready()
      return jail
    },
    async contained(containers, limits, { http }): Promise<ProgramCell> {
      const content = createImage(runtime, argsOf(limits), getForwardedPort(http))
      // The forwarder is a process beside the runner, which alone has the channel to the host.
      const env: Record<string, string> = http ? {} : { NODE_CHANNEL_FD: String(handoverFd) }
      const jail = new JailCell(
        await containers.command({ ...content, env }, boundsOf(limits), http),
        'gvisor',
        limits,
      )
      await jail.ready()
      return jail
    },
    warm: (kind, owner) => warm.take(kind, owner),
    lacks: () => undefined,
    close: () => warm.close(),
  }
}

const linuxInJail = '/bin/linux.node'

function createImage(
  { node, libraries, runner }: NodeRuntime,
  nodeArgs: readonly string[],
  port: string,
): JailImage {
  return {
    binds: [
      { source: node, target: '/bin/node' },
      ...libraries,
      { source: runner, target: '/runner' },
      { source: `${runner}/hosts`, target: '/etc/hosts' },
    ],
    command: ['/bin/node', ...nodeArgs, '/runner/boot.cjs', port],
    bare: [node, ...nodeArgs, `${runner}/boot.cjs`, port],
  }
}

/** It gets the addon, and the folder with its filters. */
function createForkerImage(runtime: NodeRuntime, nodeArgs: readonly string[], port: string): JailImage {
  const { binds, command, bare } = createImage(runtime, nodeArgs, port)
  const { linux, runner } = runtime
  return {
    binds: [...binds, { source: linux, target: linuxInJail }],
    command: [...command, linuxInJail, '/runner'],
    forks: true,
    bare: [...bare, linux, runner],
  }
}
