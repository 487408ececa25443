/** At most `limit` at a time, first come first served. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}
export function createGate(limit: number): Gate {
  const waiting: (() => void)[] = []
  let free = limit
  return {
    async run(work) {
      if (free > 0) free--
      else await new Promise<void>((go) => waiting.push(go))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
  }
}
