/**
 * Jest's environment of test files that run as ordinary modules (runner.js): the process itself. What a file
 * changes there is restored after it.
 */
import { ModuleMocker } from 'jest-mock'

export default class {
  global = globalThis
  fakeTimers = null
  fakeTimersModern = null
  moduleMocker = new ModuleMocker(globalThis)
  #console = globalThis.console
  #env = { ...process.env }
  #exit = process.exit
  #folder = process.cwd()

  getVmContext = () => null
  setup() {}
  teardown() {
    globalThis.console = this.#console
    process.exit = this.#exit
    process.chdir(this.#folder)
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name]
    Object.assign(process.env, this.#env)
  }
}
