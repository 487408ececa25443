/** Runs in a thread of its own: one program may take seconds, and the service has requests and heartbeats to answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { generate } from '@stateeval/generate'
import { withOptions } from '@stateeval/program'
import { findScenario } from '@stateeval/scenarios'
import type { Order, Report } from './protocol.ts'

const order = workerData as Order
const scenario = findScenario(order.scenario)
if (!scenario) throw new Error(`there is no scenario ${order.scenario}`)
const report = (one: Report) => parentPort?.postMessage(one)

const drawn = generate(withOptions(scenario, order.scenarioOptions), order)
let next = drawn.next()
for (; !next.done; next = drawn.next()) report({ kind: 'program', program: next.value })
report({ kind: 'end', summary: next.value })
