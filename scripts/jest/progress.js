/**
 * Jest's reporter of long runs: each minute, a line on what has ended and what runs; at the end, the files
 * that took most of the processors.
 */
import { relative } from 'node:path'

/** So many files are named; a run of fewer needs no list. */
const manyFiles = 40

export default class Progress {
  #running = new Map()
  #results = {
    numTotalTestSuites: 0,
    numPassedTestSuites: 0,
    numFailedTestSuites: 0,
    numPendingTestSuites: 0,
  }
  #timer
  #cpuMs = new Map()

  onRunStart(results) {
    this.#results = results
    this.#timer = setInterval(() => this.#print(), 60_000)
  }
  onTestFileStart({ path }) {
    this.#running.set(path, performance.now())
  }
  onTestFileResult({ path }, { cpuMs = 0 }, results) {
    this.#running.delete(path)
    this.#cpuMs.set(path, cpuMs)
    this.#results = results
  }
  onRunComplete() {
    clearInterval(this.#timer)
    if (this.#cpuMs.size < manyFiles) return
    const sorted = [...this.#cpuMs].sort(([, one], [, other]) => other - one)
    const seconds = (ms) => Math.round(ms / 1000)
    const total = sorted.reduce((sum, [, ms]) => sum + ms, 0)
    process.stderr.write(`-- ${seconds(total)} s of processor time, of which\n`)
    for (const [path, ms] of sorted.slice(0, manyFiles))
      process.stderr.write(`   ${String(seconds(ms)).padStart(5)} s  ${relative(process.cwd(), path)}\n`)
  }
  getLastError() {}

  #print() {
    const { numTotalTestSuites, numPassedTestSuites, numFailedTestSuites, numPendingTestSuites } =
      this.#results
    const ended = numPassedTestSuites + numFailedTestSuites + numPendingTestSuites
    const running = [...this.#running].map(
      ([path, began]) =>
        `${relative(process.cwd(), path)} (${Math.round((performance.now() - began) / 1000)} s)`,
    )
    process.stderr.write(
      `-- ${ended} of ${numTotalTestSuites} test files ended, ${numFailedTestSuites} failed; running: ${running.join(', ')}\n`,
    )
  }
}
