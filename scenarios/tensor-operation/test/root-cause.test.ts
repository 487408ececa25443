/** Causes where no call is logged: from the code, its error and RESULT. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Case, Observation } from '@stateeval/contracts'
import { buildProgramCandidate, createRng, emit, interpret, mutate } from '@stateeval/program'
import { compare } from '@stateeval/score'
import { leastEffort } from '@stateeval/testkit/each-time'
import { readWrittenCalls } from '../../../benchmarks/stateeval/root-cause/written-calls.ts'
import { stateeval } from '../../../benchmarks/stateeval/index.ts'
import { type Drawn, long, predicted, programsOf, scenario } from './programs.ts'

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

const placeOf = (because: string) => Number(/^(?:call|(?:before|after) call) (\d+)/.exec(because)?.[1])

test.each(['javascript', 'python'] as const)(
  'in %s a wrong call is named by its place, API and argument',
  (language) => {
    const missed: string[] = []
    let named = 0
    for (const { program, inputs } of programsOf({ count: long ? 150 : 12, seed: 11 })) {
      const oracles = inputs.map((input) => ({ input, ...predicted(program, input) }))
      const comparison = scenario.compareFor?.(program) ?? scenario.compare
      for (let n = 0; n < 6; n++) {
        const { program: wrong, operator, site } = mutate(program, createRng(`${program.id}/${n}`))!
        const code = emit(wrong, language)
        if (code === null) continue
        const runs = oracles.map(({ input }) => interpret(wrong, scenario, input))
        const first = runs.findIndex(
          (run, at) =>
            !run.ok || !compare(oracles[at]!, { result: run.result, world: run.world }, comparison).equal,
        )
        // What fails says by its error what was wrong.
        if (first < 0 || runs.some(({ ok }) => !ok)) continue
        const { evidence } = benchmark.score({
          case: { ...c, program, oracles },
          candidate: buildProgramCandidate({
            code,
            observations: runs.map((run): Observation => ({
              ending: { status: 'completed', result: run.ok ? run.result : null },
              ...{ world: run.world, log: [], output: '', faults: [], wallMs: 1, sandbox: 'none' },
            })),
          }),
        })
        const { because, api, kind } = evidence.rootCause!
        if (api !== undefined && placeOf(because) >= 1) named++
        else if (kind !== 'wrong_branch' && !/result/.test(operator))
          missed.push(`${operator} ${site}: ${because}`)
      }
    }
    expect(named).toBeGreaterThan(10)
    // A text that doesn't tell which calls are made is explained by its error, or by RESULT alone.
    expect(missed.length / (named + missed.length) > 0.1 ? missed : []).toEqual([])
  },
)

const functions = [
  { api: 'cat', parameters: ['tensors', 'dim'] },
  { api: 'conv2d', parameters: ['input', 'weight', 'bias', 'stride'] },
]
/** The calls that a text tells, with values in place of tensors. */
const read = (text: string) =>
  readWrittenCalls(text, functions, { x: 1, w: 2 }, (_, args) => [args['tensors'] ?? 'one', 'two'])?.map(
    ({ api, args, unread }) => ({ api, args, unread }),
  )
test.each<[string, unknown]>([
  ['const a = torch.cat([x, w], 1);', [{ api: 'cat', args: { tensors: [1, 2], dim: 1 }, unread: [] }]],
  [
    'y = torch.nn.functional.conv2d(\n  x,\n  w,\n  stride=(2, 2),  # torch.cat(\n)',
    [{ api: 'conv2d', args: { input: 1, weight: 2, stride: [2, 2] }, unread: [] }],
  ],
  [
    'let y = conv2d(x, w, { bias, stride: 2 }) // cat(x)',
    [{ api: 'conv2d', args: { input: 1, weight: 2, stride: 2 }, unread: ['bias'] }],
  ],
  [
    'a, b = torch.cat([x])\nc = torch.cat([b, torch.cat([w])[1]], dim=-1)',
    [
      { api: 'cat', args: { tensors: [1] }, unread: [] },
      { api: 'cat', args: { tensors: [2] }, unread: [] },
      { api: 'cat', args: { tensors: ['two', 'two'], dim: -1 }, unread: [] },
    ],
  ],
  ['x = x.conv2d(w)', [{ api: 'conv2d', args: { weight: 2 }, unread: ['input'] }]],
  ['x += 1\ny = torch.cat([x, w])', [{ api: 'cat', args: {}, unread: ['tensors'] }]],
  ['for t in ts:\n  torch.cat([t])', undefined],
])('%s', (text, calls) => expect(read(text)).toEqual(calls))

test('any text is read in time, without an exception', () => {
  const piece = fc.constantFrom(
    ...['torch.', 'cat', '(', ')', '[', ']', '{', '}', ',', '=', '==', '\n', ';', ' ', '"', "'", '`', '#'],
    ...['//', '/*', 'x', '1', 'const ', 'stride', ':', '.', '"""', '\\', '?', 'if'],
  )
  const repeated = fc
    .tuple(piece, piece, fc.integer({ min: 1, max: 4000 }))
    .map(([a, b, n]) => (a + b).repeat(n))
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 20, arbitrary: piece }, repeated), { maxLength: 60 }), (all) => {
      const text = all.join('')
      expect(leastEffort(() => read(text), 2000)).toBeLessThanOrEqual(2000)
    }),
    { numRuns: long ? 5000 : 200 },
  )
})
