/** Turns in warm runners: a pool for each kind, and only so many pools. */
import type { ProgramCell, CellEnd, CellJob, CellKind } from '../cell.ts'
import type { CleanConfirmation } from './canary.ts'
import { type PooledRunner, WarmPool } from './pool.ts'

interface WarmRunner extends PooledRunner {
  begin(owner: string): CleanConfirmation
  run(job: CellJob): Promise<CellEnd>
}

interface WarmOptions {
  make: (kind: CellKind) => WarmRunner
  /** Names a kind by what distinguishes its runners. */
  nameOf: (kind: CellKind) => string
  /** Limit of idle cells of each kind: as many as programs had at a time. */
  maxIdle: number
}

interface WarmCells {
  take(kind: CellKind, owner: string): Promise<ProgramCell>
  close(): Promise<void>
}

/**
 * The maximum number of kinds whose runners are kept: those of all worlds, and a few with other memory
 * limits. The kind that was used least recently goes first.
 */
const maxPools = 8
/** Large libraries make a runner that waits for nobody too dear. */
const countSpares = ({ preload }: CellKind) => (preload.length === 0 ? 1 : 0)

export function createWarmCells({ make, nameOf, maxIdle }: WarmOptions): WarmCells {
  /** The one that was asked for last comes last. */
  const pools = new Map<string, WarmPool<WarmRunner>>()
  const closing = new Set<Promise<void>>()
  function retire() {
    for (const [name, pool] of pools) {
      if (pools.size < maxPools) return
      if (pool.isBusy) continue
      pools.delete(name)
      const end = pool.close().finally(() => closing.delete(end))
      closing.add(end)
    }
  }
  function poolOf(kind: CellKind) {
    const name = nameOf(kind)
    const known = pools.get(name)
    if (known) pools.delete(name)
    else retire()
    const pool = known ?? new WarmPool(() => make(kind), maxIdle, countSpares(kind))
    pools.set(name, pool)
    return pool
  }
  return {
    async take(kind, owner) {
      const pool = poolOf(kind)
      const runner = await pool.take(owner)
      const confirmation = runner.begin(owner)
      return {
        level: 'warm-jail',
        confirmation,
        run: (job) => runner.run(job),
        release: () => pool.giveBack(runner),
      }
    },
    close: async () =>
      void (await Promise.all([...closing, ...[...pools.values()].map((pool) => pool.close())])),
  }
}
