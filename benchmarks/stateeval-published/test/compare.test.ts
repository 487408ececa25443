/**
 * The rules of comparison, one row each: what the released evaluator accepts (`published`), and what is
 * mended (`sound`).
 */
import { expect, test } from '@jest/globals'
import { type JsonValue, type Observation, toJson } from '@stateeval/contracts'
import { writeFloat32, createTensor } from '@stateeval/program'
import type { ScenarioName, CaseSession, ProgramTest } from '../case.ts'
import { judgeTest } from '../compare/judge.ts'
import { toTruthValue } from '../compare/value.ts'
import type { ReportedValue } from '../run/report.ts'

const observed = (
  result: ReportedValue | undefined,
  rest: { items?: CaseSession[]; calls?: JsonValue[]; ended?: string } = {},
): Observation => ({
  ending: {
    status: 'completed',
    result: {
      ended: rest.ended ?? 'completed',
      ...(result !== undefined && { result }),
      ...(rest.calls && { calls: rest.calls.map((call) => (call as JsonValue[]).map(toTruthValue)) }),
    },
  },
  world: { state: { items: rest.items ?? [] }, ids: { initial: [], created: [] }, gone: [] },
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'test',
})
const truth = (result: JsonValue, state: ProgramTest['state'] = [], program = 'RESULT = x'): ProgramTest => ({
  init: '',
  load: {},
  items: [],
  program,
  result,
  state,
})
const bothOf = (scenario: ScenarioName, expected: ProgramTest, observation: Observation) =>
  (['published', 'sound'] as const).map(
    (policy) => judgeTest(policy, scenario, expected, observation).verdict,
  )

const [passed, wrong, raised, syntax] = ['passed', 'result_error', 'execution_error', 'syntax_error'] as const
type Verdicts = [string, string]
const session = { source: 'lab', type: 'group', data: { title: 'a' } }
const other = { source: 'lab', type: 'group', data: { title: 'b' } }
const elsewhere = { source: 'lab', type: 'settings', data: { title: 'a' } }
const dict = (value: JsonValue) => toTruthValue(value)

test.each<[string, JsonValue, ReportedValue | undefined, Verdicts]>([
  ['ids do not count', { ...session }, dict({ id: '7', ...session }), [passed, passed]],
  ['an empty dict passes as any', session, dict({}), [passed, wrong]],
  ['missing keys pass', session, dict({ source: 'lab' }), [passed, wrong]],
  ['a key that the truth lacks raises', session, dict({ ...session, more: 1 }), [raised, wrong]],
  ['another value', session, dict({ ...session, data: { title: 'b' } }), [wrong, wrong]],
  ['a number within 1e-4', { n: 1 }, dict({ n: 1.00005 }), [passed, wrong]],
  ['a boolean is a number in Python', { n: 1 }, dict({ n: true }), [passed, passed]],
  ['infinity is close to no number', { n: 1 }, { dict: [['n', { number: 'inf' }]] }, [wrong, wrong]],
  ['a text is none', { n: 1 }, dict({ n: '1' }), [wrong, wrong]],
  [
    'a list keeps the ids of its run',
    [{ id: '1', ...session }],
    dict([{ id: '2', ...session }]),
    [wrong, passed],
  ],
  [
    'a checksum is of a run, too',
    { ...session, checksum: 'x' },
    dict({ ...session, checksum: 'y' }),
    [wrong, passed],
  ],
  ['no RESULT where the truth is null', null, undefined, [passed, passed]],
  ['no RESULT elsewhere', session, undefined, [wrong, wrong]],
  ['None where the truth is null', null, null, [passed, passed]],
  ['None where it is a session', session, null, [wrong, wrong]],
  ['a value of another kind', session, { other: 'of the type requests.models.Response' }, [wrong, wrong]],
])('sessions, RESULT: %s', (_, expected, result, verdicts) => {
  expect(bothOf('session', truth(expected), observed(result))).toEqual(verdicts)
})

test.each<[string, CaseSession[], CaseSession[], Verdicts]>([
  ['order does not count', [session, other], [other, session], [passed, passed]],
  ['a session too many in a known pair', [session], [session, other], [wrong, wrong]],
  ['a session too few', [session, other], [session], [wrong, wrong]],
  ['a pair that should be empty', [], [session], [passed, wrong]],
  ['another pair', [session], [session, elsewhere], [passed, wrong]],
  ['one session stands for all equal ones', [session, session], [session], [passed, wrong]],
  ['equal sessions, one matched', [session], [session, session], [wrong, wrong]],
  ['the same data under another type', [session], [elsewhere], [wrong, wrong]],
])('sessions, state: %s', (_, expected, items, verdicts) => {
  expect(bothOf('session', truth(null, expected), observed(undefined, { items }))).toEqual(verdicts)
})

const tensor = (numbers: number[], shape = [numbers.length]) =>
  toJson(createTensor('float32', shape, writeFloat32(numbers)))
const of = (numbers: number[], shape?: number[]): ReportedValue => ({ tensor: tensor(numbers, shape) })
const nan: ReportedValue = { number: 'nan' }
const whole = toJson(createTensor('int64', [1], new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0])))

test.each<[string, JsonValue, ReportedValue | undefined, Verdicts, string?]>([
  ['a number', 2, 2.005, [passed, passed]],
  ['a number too far', 2, 2.02, [wrong, wrong]],
  ['a tensor of one element, without dimensions', 2, of([2], []), [passed, passed]],
  ['a tensor of one element in dimensions', 2, of([2], [1, 1, 1]), [passed, passed]],
  ['the same where RESULT is a sum', 2, of([2], [1, 1]), [passed, wrong], 'RESULT = a.sum() + b.sum()'],
  ['another dtype as a number', 2, { tensor: whole }, [passed, passed]],
  ['two elements for a number', 2, of([2, 2]), [wrong, wrong]],
  ['NaN is never too far', 2, nan, [passed, wrong]],
  ['NaN in a tensor of one element', 2, of([Number.NaN], []), [passed, wrong]],
  ['a large sum, float32 noise away', 3_000_000, 3_000_010, [wrong, passed]],
  ['a large sum, too far', 3_000_000, 3_001_000, [wrong, wrong]],
  ['a truth value', 1, true, [passed, wrong]],
  ['a list', 2, { list: [2] }, [wrong, wrong]],
  ['a text', 2, '2', [wrong, wrong]],
  ['None', 2, null, [wrong, wrong]],
  ['no RESULT', 2, undefined, [wrong, wrong]],
  ['a tensor', tensor([1, 2]), of([1.005, 2]), [passed, passed]],
  ['a tensor too far', tensor([1, 2]), of([1.1, 2]), [wrong, wrong]],
  ['another shape', tensor([1, 2]), of([1, 2], [1, 2]), [wrong, wrong]],
  ['another dtype raises', tensor([2], [1]), { tensor: whole }, [raised, wrong]],
  ['NaN in a tensor of several', tensor([1, 2]), of([1, Number.NaN]), [wrong, wrong]],
  ['a number for a tensor', tensor([1, 2]), 1, [wrong, wrong]],
  ['a number for infinity', tensor([Infinity, 2]), of([5, 2]), [wrong, wrong]],
  ['infinity', tensor([Infinity, -Infinity]), of([Infinity, -Infinity]), [passed, passed]],
  ['infinity of the other sign', tensor([Infinity, 2]), of([-Infinity, 2]), [wrong, wrong]],
  ['infinity for a number', tensor([5, 2]), of([Infinity, 2]), [wrong, wrong]],
])('tensors: %s', (_, expected, result, verdicts, program = 'RESULT = x') => {
  expect(bothOf('tensor', truth(expected, null, program), observed(result))).toEqual(verdicts)
})

const speech = (changes: Record<string, JsonValue> = {}): JsonValue => ({
  text: 'Hello.',
  voice_name: 'Emma',
  stability: 0.5,
  similarity_boost: null,
  style: 0,
  duration: 16,
  transitions: [['speech_to_speech', { voice_name: 'Emma' }]],
  is_speech: true,
  ...changes,
})
const plain = { text: 'Hello.', diarize: false }

test.each<[string, JsonValue, ReportedValue | undefined, Verdicts]>([
  ['a speech', speech(), toTruthValue(speech()), [passed, passed]],
  ['a number within 1e-6', speech(), toTruthValue(speech({ stability: 0.5000005 })), [passed, passed]],
  ['a number too far', speech(), toTruthValue(speech({ stability: 0.51 })), [wrong, wrong]],
  ['None is not 0', speech(), toTruthValue(speech({ similarity_boost: 0 })), [wrong, wrong]],
  ['another history', speech(), toTruthValue(speech({ transitions: [] })), [wrong, wrong]],
  ['another text', speech(), toTruthValue(speech({ text: 'hello.' })), [wrong, wrong]],
  [
    'a dict for a speech',
    speech(),
    toTruthValue({ ...(speech() as object), is_speech: false }),
    [wrong, wrong],
  ],
  ['a transcript', plain, toTruthValue(plain), [passed, passed]],
  ['a dict with less', plain, toTruthValue({ text: 'Hello.' }), [wrong, wrong]],
  [
    'a list in any order',
    [speech(), plain],
    { list: [toTruthValue(plain), toTruthValue(speech())] },
    [passed, passed],
  ],
  [
    'a tuple for a list',
    [speech(), plain],
    { tuple: [toTruthValue(speech()), toTruthValue(plain)] },
    [passed, passed],
  ],
  ['a list too short', [speech(), plain], { list: [toTruthValue(plain)] }, [wrong, wrong]],
  ['one twice', [speech(), plain], { list: [toTruthValue(plain), toTruthValue(plain)] }, [wrong, wrong]],
  ['None for a list ends the evaluator', [plain], null, [syntax, wrong]],
  ['a number for a list does, too', [plain], 5, [syntax, wrong]],
  ['a tuple within a list', [[1]], { list: [{ tuple: [1] }] }, [wrong, passed]],
  ['None', null, null, [passed, passed]],
  ['no RESULT where the truth is null', null, undefined, [passed, passed]],
])('voices, RESULT: %s', (_, expected, result, verdicts) => {
  expect(bothOf('voice', truth(expected), observed(result, { calls: [] }))).toEqual(verdicts)
})

test.each<[string, JsonValue[], JsonValue[], Verdicts]>([
  [
    'in any order',
    [
      [speech(), 'Emma'],
      [speech({ text: 'x' }), 'James'],
    ],
    [
      [speech({ text: 'x' }), 'James'],
      [speech(), 'Emma'],
    ],
    [passed, passed],
  ],
  ['another voice', [[speech(), 'Emma']], [[speech(), 'James']], [wrong, wrong]],
  [
    'once too often',
    [[speech(), 'Emma']],
    [
      [speech(), 'Emma'],
      [speech(), 'Emma'],
    ],
    [wrong, wrong],
  ],
  ['none', [[speech(), 'Emma']], [], [wrong, wrong]],
  ['a history that is longer', [[speech(), 'Emma']], [[speech({ transitions: [] }), 'Emma']], [wrong, wrong]],
])('voices, calls: %s', (_, expected, calls, verdicts) => {
  const state = expected.map((call) => ({
    speech: (call as JsonValue[])[0]!,
    voice: (call as JsonValue[])[1]!,
  }))
  expect(bothOf('voice', truth(null, state), observed(undefined, { calls }))).toEqual(verdicts)
})

test.each<[string, Observation, Verdicts]>([
  [
    'an error',
    {
      ...observed(undefined),
      ending: {
        status: 'completed',
        result: { ended: 'threw', error: { type: 'KeyError', message: 'x', line: 2 } },
      },
    },
    [raised, raised],
  ],
  [
    'a traceback with SyntaxError in it',
    {
      ...observed(undefined),
      ending: {
        status: 'completed',
        result: { ended: 'threw', error: { type: 'SyntaxError', message: 'eval', line: 2 } },
      },
    },
    [syntax, raised],
  ],
  [
    'no program',
    {
      ...observed(undefined),
      ending: {
        status: 'completed',
        result: { ended: 'syntax', error: { type: 'SyntaxError', message: 'x', line: 1 } },
      },
    },
    [syntax, syntax],
  ],
  ['an exit with RESULT', observed(null, { ended: 'exit' }), [raised, passed]],
  [
    'our time limit',
    { ...observed(null), ending: { status: 'timeout', limit: 'wall', afterMs: 1 } },
    ['timeout', 'timeout'],
  ],
  ['our memory limit', { ...observed(null), ending: { status: 'killed', by: 'memory' } }, [raised, raised]],
  [
    'a fault of ours',
    { ...observed(null), faults: ['away'] },
    ['infrastructure_error', 'infrastructure_error'],
  ],
  [
    'no torch',
    { ...observed(null), ending: { status: 'infrastructure', reason: 'no torch' } },
    ['infrastructure_error', 'infrastructure_error'],
  ],
  [
    'an outcome that the program made up',
    {
      ...observed(null),
      ending: { status: 'completed', result: { ended: 'completed', result: { dict: [[1]] } } },
    },
    [raised, raised],
  ],
])('how a run ends: %s', (_, observation, verdicts) => {
  expect(bothOf('session', truth(null), observation)).toEqual(verdicts)
})
