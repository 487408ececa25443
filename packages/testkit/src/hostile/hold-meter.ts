/**
 * Loaded before a service (`--import`), notes how long its event loop is held: the processor time that its
 * main thread takes between two turns, so that a busy machine changes little. Each new maximum is a line of
 * the file in STATEEVAL_TEST_HOLDS: milliseconds.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['STATEEVAL_TEST_HOLDS']
/** Shorter holds are not noted. */
const noted = 20
const everyMs = 2

if (isMainThread && file !== undefined) {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = cpuMs()
  setInterval(() => {
    const now = cpuMs()
    const held = now - last
    last = now
    if (held < noted) return
    appendFileSync(file, `${Math.round(held)}\n`)
    last = cpuMs()
  }, everyMs).unref()
}
