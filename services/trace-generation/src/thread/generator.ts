/** Runs in a thread of its own: one program may take seconds, and the service has requests and heartbeats to answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { generate } from '@stateeval/generate'
import { type Scenario, withOptions } from '@stateeval/program'
import { findScenario } from '@stateeval/scenarios'
import { ahead, type Beginning, type Report } from './protocol.ts'

const { order, taken } = workerData as Beginning
const scenario = findScenario(order.scenario)
if (!scenario) throw new Error(`there is no scenario ${order.scenario}`)
const report = (one: Report) => parentPort?.postMessage(one)

function run(scenario: Scenario): void {
  const drawn = generate(withOptions(scenario, order.scenarioOptions), order)
  let next = drawn.next()
  for (let sent = 0; !next.done; next = drawn.next()) {
    report({ kind: 'program', program: next.value })
    sent++
    for (let seen = Atomics.load(taken, 0); sent - seen >= ahead; seen = Atomics.load(taken, 0))
      Atomics.wait(taken, 0, seen)
  }
  report({ kind: 'end', summary: next.value })
}
// When the module has been evaluated: Node 24 ends the whole process where a thread is terminated within a module that
// awaited others.
setImmediate(run, scenario)
