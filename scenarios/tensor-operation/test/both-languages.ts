/**
 * A process of its own, since ONNX Runtime takes arrays of Node's main realm only, which tests don't run in:
 * generated programs in the sandbox, in both languages, against each other and the prediction. Prints what
 * differs as JSON.
 */
import type { Language, Observation } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { judgeInput, type ComparedOutcome } from '@stateeval/score'
import { createTensorWorld } from '../backend/index.ts'
import { type Drawn, programsOf, long, predicted, scenario } from './programs.ts'
import { torchVersion } from './pytorch.ts'

const world = createTensorWorld()
const sandbox = await createSandbox()
const torch = torchVersion()
const missing =
  'missing' in torch
    ? torch.missing
    : sandbox.languages.includes('python')
      ? null
      : (sandbox.unavailable.python ?? '')
const languages: readonly Language[] = missing === null ? ['javascript', 'python'] : ['javascript']

const programs: Drawn[] = [
  ...programsOf({ seed: 41, count: long ? 300 : 14 }),
  ...programsOf({ seed: 42, count: long ? 100 : 5, strategy: 'random' }),
  ...programsOf({ seed: 43, count: long ? 10 : 1, length: 15, observable: false }),
  ...programsOf({ seed: 44, count: long ? 50 : 2, branches: 3 }),
]

const outcomeOf = ({ ending, world: state }: Observation): ComparedOutcome | null =>
  ending.status === 'completed' && state ? { result: ending.result, world: state } : null
const differing: string[] = []
let runs = 0
const queue = programs.values()
async function run() {
  for (const { program, inputs } of queue) {
    const comparison = scenario.compareFor!(program)
    const ended: Observation[][] = []
    for (const language of languages) {
      const request = {
        language,
        code: emit(program, language) as string,
        inputs,
        world,
        limits: completeLimits(),
      }
      ended.push(await sandbox.run(request, new AbortController().signal))
    }
    for (const [index, input] of inputs.entries()) {
      const observations = ended.map((all) => all[index]!)
      const [javascript, python] = observations
      const other = python && outcomeOf(python)
      const scores = [
        ...observations.map((observation) => judgeInput(predicted(program, input), observation, comparison)),
        ...(other ? [judgeInput(other, javascript!, comparison)] : []),
      ]
      runs += observations.length
      for (const { verdict, evidence } of scores)
        if (verdict !== 'passed')
          differing.push(
            `${verdict} ${JSON.stringify([evidence, ...observations.map(({ faults }) => faults)])}\n${emit(program, 'javascript')}`,
          )
    }
  }
}
await Promise.all([run(), run()])
await sandbox.close()
await world.close()
console.log(JSON.stringify({ programs: programs.length, runs, missing, differing }))
