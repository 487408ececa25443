/**
 * Mistakes are made in the text: what each operator changes, that mutants stay programs, and who judges
 * equivalence.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { type JsonValue, maxAttemptBytes, maxProgramBytes, type Observation } from '@stateeval/contracts'
import { createRng, createTensor, oneAnswer, runEpisode } from '@stateeval/program'
import { completeLimits } from '@stateeval/sandbox'
import fc from 'fast-check'
import { scenarioNames } from '../case.ts'
import { isAgreeingObservation } from '../mutants/agree.ts'
import { createFurtherInputs } from '../mutants/further.ts'
import { operators } from '../mutants/operators.ts'
import { applyEdits, splitProgram } from '../mutants/parts.ts'
import { readLogicalLines } from '@stateeval/program'
import { getInputStart } from '../run/harness.ts'
import { writePublishedAnswer } from '../player.ts'
import { imported, long, ownFiles } from './own.ts'

const init = 'user_variable_0 = {"a": 1}\nuser_variable_1 = {"a": 2}\nuser_constant_2 = "x"\n'
const program = `response_0 = requests.get("{BASE_URL}/a", params={"field": "data.a", "value": "1"}).json()
user_variable_0["a"] = "b"  # a comment
if user_variable_0["a"] == user_constant_2:
    requests.post("{BASE_URL}/b", json=user_variable_0)
    requests.put("{BASE_URL}/c", json=user_variable_1)
    RESULT = response_0[0]
else:
    RESULT = user_variable_0
`
const mutantsOf = (id: string) =>
  operators
    .find((one) => one.id === id)!
    .sites(splitProgram(program, init, []))
    .map((site) => applyEdits(program, site).split('\n')[site.number - 1]!.trim())

test.each<[string, string[]]>([
  ['call_dropped', ['pass', 'pass', 'pass']],
  [
    'call_repeated',
    [
      program.split('\n')[0]!,
      'requests.post("{BASE_URL}/b", json=user_variable_0)',
      'requests.put("{BASE_URL}/c", json=user_variable_1)',
    ],
  ],
  ['calls_swapped', ['requests.put("{BASE_URL}/c", json=user_variable_1)']],
  ['edit_dropped', ['pass  # a comment']],
  ['index_changed', ['RESULT = response_0[1]']],
  ['condition_negated', ['if user_variable_0["a"] != user_constant_2:']],
  [
    'argument_dropped',
    [
      'response_0 = requests.get("{BASE_URL}/a").json()',
      'requests.post("{BASE_URL}/b")',
      'requests.put("{BASE_URL}/c")',
    ],
  ],
  ['result_emptied', ['RESULT = {}', 'RESULT = {}']],
])('%s', (id, lines) => {
  expect(mutantsOf(id)).toEqual(lines)
})

test('variables are exchanged for others of their kind, results for any', () => {
  expect(mutantsOf('variable_changed')).toContain('requests.post("{BASE_URL}/b", json=user_variable_1)')
  expect(mutantsOf('variable_changed').join()).not.toContain('user_constant_2["a"]')
  expect(mutantsOf('result_changed')).toContain('RESULT = user_constant_2')
  expect(mutantsOf('constant_changed')).toContain('user_variable_0["a"] = "b x"  # a comment')
})

test('logical lines cover brackets, strings and continuations', () => {
  const text =
    'a = (1,\n  2)\nb = """x\n# no comment"""\nc = 1 + \\\n    2\n\n# nothing\nif a: # yes\n\tf(r\'\\\'#\')'
  expect(readLogicalLines(text).map(({ number, from, to }) => [number, text.slice(from, to)])).toEqual([
    [1, 'a = (1,\n  2)'],
    [3, 'b = """x\n# no comment"""'],
    [5, 'c = 1 + \\\n    2'],
    [9, 'if a:'],
    [10, "f(r'\\'#')"],
  ])
})

test.each(scenarioNames)('every mutant of %s is a program; the same seed draws the same', (name) => {
  const { benchmark, cases } = imported(ownFiles(name, 6))
  const texts = cases.flatMap(({ task }) => {
    const { program: text, init: start, load } = task.tests[0]!
    const parts = splitProgram(text, start, Object.keys(load))
    return operators.flatMap(({ sites }) => sites(parts).map((site) => applyEdits(text, site)))
  })
  expect(texts.length).toBeGreaterThan(60)
  const python = spawnSync(
    'python3',
    ['-c', 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'],
    { input: JSON.stringify(texts), encoding: 'utf8' },
  )
  if (python.error) console.log('skipped: there is no python3')
  else expect(python.stderr).toBe('')
  const draw = (seed: number) =>
    benchmark.mutants!.mutate(cases[0]!, { prompting: 'direct' }, createRng(seed))
  expect(draw(1)).toEqual(draw(1))
})

test.each(scenarioNames)('further inputs of %s are others, and repeat', (name) => {
  const { cases } = imported(ownFiles(name, 2))
  const inputs = createFurtherInputs(cases[0]!.task, 8, createRng('x'))
  expect(inputs).toEqual(createFurtherInputs(cases[0]!.task, 8, createRng('x')))
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBeGreaterThan(4)
  for (const input of inputs)
    expect(Object.keys(getInputStart(input).load)).toEqual(Object.keys(cases[0]!.task.tests[0]!.load))
})

test('requests on large tensors, and their results, are within what executions take', async () => {
  const { benchmark, cases } = imported(ownFiles('tensor', 1))
  const [c] = cases as [(typeof cases)[number]]
  const tensorOf = (elements: number): JsonValue =>
    createTensor('float32', [elements], new Uint8Array(4 * elements))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 1000, 60_000, 1_048_576),
      fc.constantFrom(1, 60_000, 1_048_576),
      fc.integer({ min: 1, max: 64 }),
      async (loaded, returned, count) => {
        const test = { ...c.task.tests[0]!, load: { x: tensorOf(loaded) }, result: tensorOf(returned) }
        const task = { ...c.task, tests: [test] }
        // The law is on numbers of inputs; drawing a million numbers for each takes long.
        const inputs = loaded > 60_000 ? [] : createFurtherInputs(task, count, createRng('x'))
        if (loaded <= 60_000) expect(inputs.length).toBeGreaterThan(0)
        const resultBytes = Buffer.byteLength(JSON.stringify(test.result))
        if (inputs.length > 1) expect(inputs.length * resultBytes).toBeLessThan(maxAttemptBytes)
        const options = {
          prompting: 'direct' as const,
          language: 'python' as const,
          ...(inputs.length > 0 && { inputs }),
        }
        let asked = 0
        await runEpisode(benchmark.episode, { ...c, task }, options, {
          reply: oneAnswer(writePublishedAnswer(test.program)),
          execute: async ({ limits, inputs: sent }) => {
            const { resultKiB, outputKiB } = completeLimits(limits)
            expect(sent.length * (resultKiB + outputKiB) * 1024).toBeLessThanOrEqual(maxProgramBytes)
            expect(resultBytes).toBeLessThan(resultKiB * 1024)
            asked++
            return { observations: sent.map(() => run({}, '1')), runtime: 'test' }
          },
        })
        expect(asked).toBeGreaterThan(0)
      },
    ),
    { numRuns: long ? 200 : 15 },
  )
})

const run = (result: object, id: string): Observation => ({
  ending: { status: 'completed', result: { ended: 'completed', result, calls: [] } },
  world: {
    state: { items: [{ id, source: 'lab', type: 'group', data: { a: 1 } }] },
    ids: { initial: [], created: [id] },
    gone: [],
  },
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'test',
})

test('runs agree up to ids, and by the numbers of tensors', () => {
  const dict = (id: string, n: number) => ({
    dict: [
      ['id', id],
      ['n', n],
    ],
  })
  expect(isAgreeingObservation(run(dict('1', 1), '1'), run(dict('2', 1), '2'))).toBe(true)
  expect(isAgreeingObservation(run(dict('1', 1), '1'), run(dict('2', 2), '2'))).toBe(false)
  expect(isAgreeingObservation(run(dict('1', 1), '1'), run(dict('9', 1), '2'))).toBe(false)
})
