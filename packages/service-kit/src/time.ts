/** Waits that can end early. */

/** Resolves after the time or with the signal, whichever comes first. */
export function pauseUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Resolves with the signal. */
export const waitForAbort = (signal: AbortSignal) =>
  new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  )

/** Waits for a promise, but no longer than the time. */
export async function waitAtMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const pauseEnd = new AbortController()
  await Promise.race([promise, pauseUnlessAborted(ms, pauseEnd.signal)])
  pauseEnd.abort()
}
