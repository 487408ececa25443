import { gathered, type Sandbox, type SandboxRun } from '../sandbox.ts'

interface WaitingBatch {
  places: number
  go(): void
}

/**
 * So many places; a run takes one, or as many as `weigh` says, all of them at most. More runs wait in the
 * order in which they came, also behind a large one, which so gets its turn. A run that is aborted leaves the
 * queue at once. A place is held until the observations are taken: there are never more of them in memory
 * than places.
 */
export function limitConcurrency<S extends Sandbox>(
  sandbox: S,
  maxRuns: number,
  weigh: (program: SandboxRun) => number = () => 1,
): S {
  let free = maxRuns
  const waiters: WaitingBatch[] = []
  const enter = async (places: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (waiters.length === 0 && free >= places) return void (free -= places)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiters.splice(waiters.indexOf(turn), 1)
        reject(signal.reason as Error)
        // It may have been the one that others waited behind.
        next()
      }
      const turn: WaitingBatch = {
        places,
        go() {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      waiters.push(turn)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  function next() {
    for (let first = waiters[0]; first && free >= first.places; first = waiters[0]) {
      waiters.shift()
      free -= first.places
      first.go()
    }
  }
  const each: Sandbox['each'] = async (program, signal, take) => {
    const places = Math.min(maxRuns, Math.max(1, weigh(program)))
    await enter(places, signal)
    try {
      return await sandbox.each(program, signal, take)
    } finally {
      free += places
      next()
    }
  }
  return { ...sandbox, each, run: gathered(each) }
}
