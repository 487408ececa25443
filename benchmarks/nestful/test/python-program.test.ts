/**
 * Lists of calls as Python programs end as they do in the world `functions`, where python3 is installed;
 * complex numbers; hostile functions.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { listExecutedCalls } from '../answer/grounding.ts'
import type { ListedCall, CallsOutcome } from '../functions/calls.ts'
import { buildPythonProgram } from '../functions/python-program.ts'
import { runFunctions, type RunRules, type RunTool } from '../functions/run.ts'
import { isWin } from '../judge/win.ts'
import { toPy } from '../python/value.ts'
import { readWhole } from '../python/read.ts'
import { oracleSample, parametersOf } from './oracle-answers.ts'

const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info[:2] < (3, 11))']).status === 0
const when = hasPython ? test : test.skip
const source = readFileSync(join(import.meta.dirname, 'functions.py'), 'utf8')

/** What programs leave as RESULT, all in one process. */
function left(programs: readonly string[]): CallsOutcome[] {
  const each = `import json, sys
out = []
for program in json.load(sys.stdin):
    scope = {}
    exec(program, scope)
    out.append(scope["RESULT"])
json.dump(out, sys.stdout)`
  const { stdout, stderr } = spawnSync('python3', ['-c', each], {
    input: JSON.stringify(programs),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as CallsOutcome[]
}
const sourcesOf = (tools: readonly RunTool[]) => Object.fromEntries(tools.map(({ name }) => [name, source]))

/** Values to as many digits as two libraries of mathematics agree on; errors by where they are. */
function alike(a: CallsOutcome, b: CallsOutcome): boolean {
  if (a.outcome !== 'value' || b.outcome !== 'value')
    return a.outcome === b.outcome && 'call' in a && 'call' in b && a.call === b.call
  const digits = (text: string) =>
    text.replaceAll(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g, (one) => {
      const number = Number(one)
      return Math.abs(number) < 1e-9 ? '0' : /[.e]/.test(one) ? number.toExponential(9) : one
    })
  return (
    digits(a.value) === digits(b.value) &&
    digits(JSON.stringify(a.foreign ?? '')) === digits(JSON.stringify(b.foreign ?? ''))
  )
}

when('random lists end alike, under the rules of both policies', () => {
  const count = process.env['STATEEVAL_LONG'] === '1' ? 3_000 : 60
  const runs = Array.from({ length: count }, (_, at) => {
    const sample = oracleSample(`run ${at}`)
    let elements
    try {
      elements = readWhole(sample.text, 'lenient')
    } catch {
      elements = null
    }
    const calls = listExecutedCalls(Array.isArray(elements) ? elements : sample.gold.map((one) => toPy(one)))
    const tools = Object.entries(sample.tools).map(([name, outputs]) => ({
      name,
      parameters: parametersOf(name),
      outputs,
    }))
    return { calls, tools }
  })
  const rules: RunRules[] = ['published', 'sound']
  const wrong = rules.flatMap((rule) => {
    const outcomes = left(
      runs.map(({ calls, tools }) =>
        buildPythonProgram({ calls, gold: [], tools, sources: sourcesOf(tools), rules: rule }),
      ),
    )
    return runs.flatMap(({ calls, tools }, at) => {
      const here = runFunctions(calls, tools, rule)
      const there = outcomes[at]!
      return here.outcome === 'unavailable' || alike(here, there) ? [] : [{ rule, calls, here, there }]
    })
  })
  expect(wrong.slice(0, 5)).toEqual([])
})

const call = (name: string, label: string, args: object): ListedCall => ({
  name,
  label,
  arguments: JSON.stringify(args),
})
const toolOf = (name: string) => ({ name, parameters: ['arg_0', 'arg_1'], outputs: ['result'] })
const root = call('power', 'var1', { arg_0: -8, arg_1: 1 / 3 })
/**
 * Calls behind the cube root of -8, which is complex in Python; the value; the gold answer that wins under
 * `published`, null where none does.
 */
const rows: [string, ListedCall[], string | RegExp, string | null][] = [
  ['the root', [], '"(1.0000000000000002+1.7320508075688772j)"', null],
  ['its cube', [call('power', 'var2', { arg_0: '$var1.result$', arg_1: 3 })], /^"\(-8/, null],
  [
    'minus itself',
    [call('subtract', 'var2', { arg_0: '$var1.result$', arg_1: '$var1.result$' })],
    '"0j"',
    '0',
  ],
  [
    'by itself',
    [call('divide', 'var2', { arg_0: '$var1.result$', arg_1: '$var1.result$' })],
    '"(1+0j)"',
    '1.0',
  ],
  ['its inverse', [call('inverse', 'var2', { arg_0: '$var1.result$' })], /^"\(0\.25.*-0\.43301/, null],
  ['a sphere of it', [call('volume_sphere', 'var2', { arg_0: '$var1.result$' })], /^"\(-33\.51/, null],
  ['its edge', [call('cube_edge_by_volume', 'var2', { arg_0: -27 })], /^"\(1\.5.*\+2\.598/, null],
]
test.each(rows)('%s', (_, calls, value, winner) => {
  const all = [root, ...calls]
  const outcome = runFunctions(
    all,
    all.map(({ name }) => toolOf(name)),
    'published',
  )
  expect(outcome).toMatchObject({
    outcome: 'value',
    value: typeof value === 'string' ? value : expect.stringMatching(value),
    foreign: { equals: winner === null ? null : expect.stringMatching(/^[01]\.0$/) },
  })
  for (const gold of ['0', '1.0', '1', '-8.0', '2']) {
    expect([gold, isWin(outcome, gold, 'published')]).toEqual([
      gold,
      Number(gold) === Number(winner ?? 'NaN'),
    ])
    // JSON has no complex numbers, so a careful reader finds none equal.
    expect(isWin(outcome, gold, 'sound')).toBe(false)
  }
})
test.each(['sqrt', 'log', 'floor', 'factorial', 'gcd', 'remainder', 'square_edge_by_area'])(
  '%s takes no complex number',
  (name) => {
    const calls = [
      root,
      call(name, 'var2', { arg_0: '$var1.result$', ...(/gcd|rem/.test(name) && { arg_1: 2 }) }),
    ]
    expect(
      runFunctions(
        calls,
        calls.map((one) => toolOf(one.name)),
        'published',
      ),
    ).toMatchObject({
      outcome: 'failed',
      call: 1,
      says: expect.stringMatching(/^TypeError/),
    })
  },
)

/** What a function of a user gives, as an outcome, and whether it wins against a gold answer. */
const userFunctions: [string, string, string, { published: boolean; sound: boolean }][] = [
  [
    'a Fraction',
    'import fractions\ndef f():\n    return fractions.Fraction(5, 2)',
    '2.5',
    { published: true, sound: true },
  ],
  [
    'a Decimal, which is not rounded',
    'import decimal\ndef f():\n    return decimal.Decimal("2.54")',
    '2.5',
    { published: false, sound: false },
  ],
  ['a tuple', 'def f():\n    return (1, [2, (3,)])', '[1, [2, [3]]]', { published: true, sound: true }],
  ['a set', 'def f():\n    return {1}', '[1]', { published: false, sound: false }],
  ['keys that are numbers', 'def f():\n    return {1: "a"}', '{"1": "a"}', { published: false, sound: true }],
  ['a complex number', 'def f():\n    return complex(3, 0)', '3', { published: true, sound: false }],
  [
    'an object that equals everything',
    'class E:\n    def __eq__(self, other):\n        return True\ndef f():\n    return E()',
    '1',
    { published: false, sound: false },
  ],
  ['a text that breaks off', 'def f():\n    return "\\ud800"', '"x"', { published: false, sound: false }],
  [
    'itself in itself',
    'def f():\n    a = []\n    a.append(a)\n    return a',
    '[]',
    { published: false, sound: false },
  ],
  ['an error on purpose', 'def f():\n    raise KeyboardInterrupt', '1', { published: false, sound: false }],
  ['an exit', 'def f():\n    raise SystemExit(0)', '1', { published: false, sound: false }],
  ['a source that is no Python', 'def f(:', '1', { published: false, sound: false }],
  ['a function of another name', 'def g():\n    return 1', '1', { published: false, sound: false }],
  ['a source that fails', 'raise ValueError("x")', '1', { published: false, sound: false }],
]
when('values and errors of functions of a user', () => {
  const calls = [{ name: 'f', label: 'var1', arguments: '{}' }]
  const tools = [{ name: 'f', parameters: [], outputs: ['output_0'] }]
  const outcomes = left(
    userFunctions.map(([, python]) =>
      buildPythonProgram({ calls, gold: [], tools, sources: { f: python }, rules: 'published' }),
    ),
  )
  const verdicts = userFunctions.map(([name, , gold], at) => [
    name,
    { published: isWin(outcomes[at]!, gold, 'published'), sound: isWin(outcomes[at]!, gold, 'sound') },
  ])
  expect(verdicts).toEqual(userFunctions.map(([name, , , expected]) => [name, expected]))
})

when('a reference that cannot be run is told for any list; a list that cannot is its own fault', () => {
  const f = { name: 'f', label: 'var1', arguments: '{}' }
  const g = { name: 'g', label: 'var1', arguments: '{}' }
  const tools = ['f', 'g'].map((name) => ({ name, parameters: [], outputs: ['output_0'] }))
  const sources = { f: 'import no_such_module\ndef f():\n    return 1', g: 'def g():\n    return 2' }
  const programOf = (calls: ListedCall[], gold: ListedCall[]) =>
    buildPythonProgram({ calls, gold, tools, sources, rules: 'sound' })
  const outcomes = left([
    ...[[f], [g], []].map((calls) => programOf(calls, [f])),
    ...[[f], [g], []].map((calls) => programOf(calls, [g])),
  ])
  expect(outcomes.slice(0, 3).map(({ outcome }) => outcome)).toEqual(Array(3).fill('unavailable'))
  for (const outcome of outcomes.slice(0, 3))
    expect(outcome).toMatchObject({ says: expect.stringMatching(/^the reference: ModuleNotFoundError/) })
  expect(outcomes.slice(3)).toMatchObject([
    { outcome: 'unavailable', says: expect.stringMatching(/^ModuleNotFoundError/) },
    { outcome: 'value', value: '2' },
    { outcome: 'failed' },
  ])
})
