/** Known work: whether a machine and its servers do what they should, for whoever asks nothing unusual. */
import { randomBytes } from 'node:crypto'
import { completeLimits } from '@stateeval/runtime'
import type { Sandbox, SandboxRun } from './sandbox.ts'
import type { SandboxWorld } from './world.ts'

/** Remains of a run may keep a server busy for some seconds. */
const patienceMs = 60_000

/** Checks whether a world serves its canary. One without a canary has no servers that could fail. */
export async function isServing(served: SandboxWorld): Promise<boolean> {
  const { canary } = served
  if (!canary) return true
  const call = async () => {
    const world = await served.open(canary.world, completeLimits({}), randomBytes(16).toString('hex'))
    try {
      await world.take?.(canary.variables ?? {})
      for (const [tool, args] of canary.calls) {
        const { error } = await world.call!(tool, args)
        if (error) return false
      }
      return (await world.observe()).faults.length === 0
    } finally {
      await world.close().catch(() => undefined)
    }
  }
  return isDoneWithin(patienceMs, call())
}

/** Tells whether the sandbox runs a known program in another world, while that one serves its canary. */
export async function runsKnownProgram(
  sandbox: Sandbox,
  { language, level, world }: SandboxRun,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await isServing(world))) return false
  const input: SandboxRun['inputs'][number] = { variables: {}, world: world.canary?.world ?? {} }
  const [observation] = await sandbox.run(
    {
      ...{ language, code: 'RESULT = 1', inputs: [input], world, limits: completeLimits({}) },
      ...(level !== undefined && { level }),
    },
    signal,
  )
  return observation?.ending.status === 'completed'
}

/** False where the work fails, or takes longer. */
async function isDoneWithin(ms: number, work: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([work.catch(() => false), promise])
  } finally {
    clearTimeout(timer)
  }
}
