/** Turns in warm runners: a pool for worlds with HTTP and one for those without. */
import type { Cell } from '../cell.ts'
import { WarmPool } from './pool.ts'
import type { WarmRunner } from './runner.ts'

export interface WarmCells {
  take(http: boolean): Promise<Cell>
  close(): Promise<void>
}

export function warmCells(make: (http: boolean) => WarmRunner, mostIdle: number): WarmCells {
  const pools = new Map<boolean, WarmPool>()
  const poolOf = (http: boolean) => {
    const found = pools.get(http) ?? new WarmPool(() => make(http), mostIdle)
    pools.set(http, found)
    return found
  }
  return {
    async take(http) {
      const pool = poolOf(http)
      const runner = await pool.take()
      return { level: 'warm-jail', run: (job) => runner.run(job), release: () => pool.giveBack(runner) }
    },
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))),
  }
}
