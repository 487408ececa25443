/** Turns in warm runners: a pool for each kind of world. */
import type { Cell, CellKind } from '../cell.ts'
import { WarmPool } from './pool.ts'
import type { WarmRunner } from './runner.ts'

interface WarmCells {
  take(kind: CellKind): Promise<Cell>
  close(): Promise<void>
}

/** Large libraries make a runner that waits for nobody too dear. */
const sparesOf = ({ preload }: CellKind) => (preload.length === 0 ? 1 : 0)

export function warmCells(make: (kind: CellKind) => WarmRunner, maxIdle: number): WarmCells {
  const pools = new Map<string, WarmPool<WarmRunner>>()
  const poolOf = (kind: CellKind) => {
    const name = [kind.http, ...kind.preload].join()
    const pool = pools.get(name) ?? new WarmPool(() => make(kind), maxIdle, sparesOf(kind))
    pools.set(name, pool)
    return pool
  }
  return {
    async take(kind) {
      const pool = poolOf(kind)
      const runner = await pool.take()
      return { level: 'warm-jail', run: (job) => runner.run(job), release: () => pool.giveBack(runner) }
    },
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))),
  }
}
