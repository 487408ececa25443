/** Jest's reporter of long runs: each minute, a line on what has ended and what runs. */
import { relative } from 'node:path'

export default class Progress {
  #running = new Map()
  #results = {
    numTotalTestSuites: 0,
    numPassedTestSuites: 0,
    numFailedTestSuites: 0,
    numPendingTestSuites: 0,
  }
  #timer

  onRunStart(results) {
    this.#results = results
    this.#timer = setInterval(() => this.#print(), 60_000)
  }
  onTestFileStart({ path }) {
    this.#running.set(path, performance.now())
  }
  onTestFileResult({ path }, _result, results) {
    this.#running.delete(path)
    this.#results = results
  }
  onRunComplete() {
    clearInterval(this.#timer)
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
