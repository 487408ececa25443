/**
 * Runs in a separate thread: one program may take seconds, while the service must answer requests and
 * heartbeats.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { generate, listFeasiblePairs } from '@stateeval/generate'
import { type Scenario, withOptions } from '@stateeval/program'
import { findScenario } from '@stateeval/scenarios'
import { ahead, type ThreadData, type ThreadReport } from './protocol.ts'

const { order, model, takenCount } = workerData as ThreadData
const scenario = findScenario(order.scenario, model && (() => model))
if (!scenario) throw new Error(`there is no scenario ${order.scenario}`)
const reportToParent = (one: ThreadReport) => parentPort?.postMessage(one)

function run(scenario: Scenario): void {
  const chosen = withOptions(scenario, order.scenarioOptions)
  const programs = generate(chosen, order)
  let next = programs.next()
  for (let sentCount = 0; !next.done; next = programs.next()) {
    reportToParent({ kind: 'program', program: next.value })
    sentCount++
    for (
      let count = Atomics.load(takenCount, 0);
      sentCount - count >= ahead;
      count = Atomics.load(takenCount, 0)
    )
      Atomics.wait(takenCount, 0, count)
  }
  reportToParent({ kind: 'end', summary: next.value, feasible: [...listFeasiblePairs(chosen, order)] })
}
// When the module has been evaluated: Node 24 ends the whole process where a thread is terminated within a
// module that awaited others.
setImmediate(run, scenario)
