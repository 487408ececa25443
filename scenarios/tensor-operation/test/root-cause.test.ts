/** Causes where no call is logged: from the code, its error and RESULT. */
import { expect, test } from '@jest/globals'
import type { Case, Observation } from '@stateeval/contracts'
import { emit, buildProgramCandidate } from '@stateeval/program'
import { stateeval } from '../../../benchmarks/stateeval/index.ts'
import { type Drawn, programsOf, predicted, scenario } from './programs.ts'

const benchmark = stateeval({ scenario: () => scenario })
const [{ program, inputs }] = [...programsOf({ count: 1, seed: 2, controlFlow: false })] as [Drawn]
const c: Case = {
  id: 'a',
  scenario: scenario.id,
  world: scenario.world,
  instruction: 'Do it.',
  variables: [],
  program,
  // One run is enough: causes are read from any.
  oracles: inputs.slice(0, 1).map((input) => ({ input, ...predicted(program, input) })),
  flags: [],
  metrics: {},
}
const code = emit(program, 'javascript') as string
const scored = (ending: Observation['ending'], answerCode = code) => {
  const { world } = predicted(program, inputs[0]!)
  // What the runtime logs are graphs that it ran, not calls.
  const log = [{ method: 'CALL', path: 'run', status: 200 }]
  const observation: Observation = { ending, world, log, output: '', faults: [], wallMs: 1, sandbox: 'none' }
  const { passed, evidence } = benchmark.score({
    case: c,
    candidate: buildProgramCandidate({ code: answerCode, observations: [observation] }),
  })
  return passed ? 'passed' : evidence.rootCause?.kind
}
const threw = (name: string, message: string) =>
  scored({ status: 'threw', error: { name, message, line: 3 } })
const result = c.oracles[0]!.result as Record<string, unknown>
const [key] = Object.keys(result) as [string]

test('the reference passes', () => expect(scored({ status: 'completed', result })).toBe('passed'))
test.each([
  ['RuntimeError', 'mat1 and mat2 shapes cannot be multiplied (6x4 and 3x2)', 'wrong_shape'],
  [
    'RuntimeError',
    'Sizes of tensors must match except in dimension 1. Expected size 2 but got size 3 for tensor number 1 in the list.',
    'wrong_shape',
  ],
  [
    'RuntimeError',
    'Given groups=1, weight of size [4, 3, 3, 3], expected input[1, 2, 5, 5] to have 3 channels, but got 2 channels instead',
    'wrong_shape',
  ],
  ['IndexError', 'Dimension out of range (expected to be in range of [-2, 1], but got 2)', 'wrong_shape'],
  ['TypeError', "linear() got an unexpected keyword argument 'biases'", 'unknown_parameter'],
  ['AttributeError', "module 'torch' has no attribute 'concatenation'", 'unknown_endpoint'],
  ['TypeError', "permute(): argument 'dims' must be tuple of ints, not Tensor", 'wrong_form'],
  ['ReferenceError', 'F is not defined', 'unknown_name'],
])('%s: %s', (name, message, kind) => expect(threw(name, message)).toBe(kind))
test('a function that the code never calls, RESULT without a key, and another RESULT', () => {
  const { [key]: _, ...less } = result
  expect(scored({ status: 'completed', result: less }, 'RESULT = {};')).toBe('missing_call')
  expect(scored({ status: 'completed', result: less }, code.replaceAll(key, 'other'))).toBe('other_result')
  expect(scored({ status: 'completed', result: { ...result, [key]: [1] } })).toBe('other_result')
})
