import type { Sandbox } from '../sandbox.ts'

/** So many runs at a time; more wait in the order in which they came. A run that is aborted leaves the queue at once. */
export function limitConcurrency<S extends Sandbox>(sandbox: S, most: number): S {
  let free = most
  const waiting: (() => void)[] = []
  const enter = async (signal: AbortSignal) => {
    signal.throwIfAborted()
    if (free > 0) return void free--
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1)
        reject(signal.reason as Error)
      }
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.push(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  const exit = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    ...sandbox,
    async run(program, signal) {
      await enter(signal)
      try {
        return await sandbox.run(program, signal)
      } finally {
        exit()
      }
    },
  }
}
