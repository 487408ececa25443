/** Both published forms are read alike, and what is wrong is named by file and field. */
import { expect, test } from '@jest/globals'
import { isRecord } from '@stateeval/contracts'
import { importPublished } from '../dataset/from-dataset.ts'
import { imported, ownFiles } from './own.ts'

type Files = Record<string, string>
type Fields = Record<string, unknown>
const files: Files = { ...ownFiles('session', 3), ...ownFiles('tensor', 4), ...ownFiles('voice', 3) }

/** The same cases as rows of the data set. */
function rows(name: string): string {
  const agents = JSON.parse(files[`${name}/agent_data/agent_data.json`]!) as Fields
  return Object.keys(agents)
    .map((key) =>
      JSON.stringify({
        example_id: Number(key),
        evaluator_json: files[`${name}/evaluator_${key}.json`],
        agent_data_json: JSON.stringify(agents[key]),
        metadata_json: '{}',
      }),
    )
    .join('\n')
}

test('folders and rows give the same cases', () => {
  const folders = imported(files)
  expect(folders.set.warnings).toEqual([])
  expect(folders.set.about.counts).toEqual({ generated: 10, passed: 10, kept: 10 })
  const byRows = imported({
    'session.jsonl': rows('session'),
    'tensor.jsonl': rows('tensor'),
    'voice.jsonl': rows('voice'),
  })
  const withoutPlace = (cases: typeof folders.cases) =>
    cases.map((c) => ({ ...c, task: { ...c.task, from: '' } }))
  expect(withoutPlace(byRows.cases)).toEqual(withoutPlace(folders.cases))
  expect(byRows.set.artifacts).toEqual(folders.set.artifacts)
})

test('tensors as lists and in base64 are the same values', () => {
  const { cases } = imported(files)
  const tensors = cases.filter(({ group }) => group === 'tensor-operation').flatMap(({ task }) => task.tests)
  for (const { load } of tensors)
    for (const value of Object.values(load)) expect(value).toMatchObject({ $tensor: { dtype: 'float32' } })
})

test('a row’s prompt is taken as it is; values of variables are never shown in ours', () => {
  const row = JSON.parse(rows('voice').split('\n')[0]!) as Fields
  const { benchmark, cases } = imported({
    'voice.jsonl': JSON.stringify({ ...row, prompt: 'Their prompt.' }),
  })
  const promptOf = (c: (typeof cases)[number]) => {
    const turn = benchmark.episode.start(c, { prompting: 'direct' })
    return 'need' in turn && turn.need.kind === 'reply' ? turn.need.append : []
  }
  expect(promptOf(cases[0]!)).toEqual([{ role: 'user', content: 'Their prompt.' }])
  const ownCase = imported(files).cases[0]!
  const [message] = promptOf(ownCase)
  expect(message?.content).toContain(ownCase.instruction)
  expect(message?.content).toContain('{BASE_URL}')
})

/** A changed copy of a file; the change gets its first test case. */
const changed = (path: string, change: (test: Fields, info: Fields) => void): Files => {
  const value = JSON.parse(files[path]!) as { test_cases: Fields[] }
  const [first] = value.test_cases as [Fields]
  change(first, first['program_info'] as Fields)
  return { ...files, [path]: JSON.stringify(value) }
}
const agentsOf = (path: string, change: (entry: Fields) => void): Files => {
  const value = JSON.parse(files[path]!) as Record<string, Fields>
  change(value['0']!)
  return { ...files, [path]: JSON.stringify(value) }
}
const [session, tensor, voice] = ['session', 'tensor', 'voice'].map((name) => `${name}/evaluator_0.json`) as [
  string,
  string,
  string,
]
const agents = 'session/agent_data/agent_data.json'

test.each<[string, Files, string]>([
  ['no JSON', { ...files, [session]: '{' }, `${session} is not valid JSON`],
  ['NaN', { ...files, [tensor]: '{"test_cases": [NaN]}' }, 'it contains NaN, which only Python reads'],
  ['no test cases', { ...files, [session]: '{}' }, `${session}: test_cases must be a list`],
  [
    'three of them',
    { ...files, [session]: '{"test_cases": [1, 2, 3]}' },
    `${session}: test_cases has 3 entries`,
  ],
  [
    'no program',
    changed(session, (one) => delete one['program']),
    `${session}: test_cases[0].program must be a text`,
  ],
  [
    'no result',
    changed(session, (one) => delete one['result']),
    `${session}: test_cases[0].result is missing`,
  ],
  [
    'no info',
    changed(session, (one) => delete one['program_info']),
    'test_cases[0].program_info must be an object',
  ],
  [
    'an item without a source',
    changed(session, (_, info) => (info['init_implicit_dict'] = { 2: { type: 'group', data: {} } })),
    'init_implicit_dict.2',
  ],
  [
    'a state of no pair',
    changed(session, (one) => (one['state_oracle'] = { lab: [] })),
    'test_cases[0].state_oracle.lab is not named source||type',
  ],
  [
    'a tensor with a hole',
    changed(tensor, (_, info) => (info['init_load_info'] = [['user_tensor_0', [[1, 2], [3]]]])),
    'init_load_info[0][1][1] must be a list of 2',
  ],
  [
    'a tensor of texts',
    changed(tensor, (_, info) => (info['init_load_info'] = [['user_tensor_0', ['x']]])),
    'a tensor contains numbers',
  ],
  [
    'another dtype',
    changed(
      tensor,
      (one) => (one['result'] = { __tensor__: true, shape: [1], dtype: '>f4', data_b64: 'AAAA' }),
    ),
    'test_cases[0].result.dtype is ">f4"',
  ],
  [
    'too few bytes',
    changed(
      tensor,
      (one) => (one['result'] = { __tensor__: true, shape: [2], dtype: '<f4', data_b64: 'AACAPw==' }),
    ),
    'data_b64 has 4 bytes; <f4 of shape [2] takes 8',
  ],
  [
    'no base64',
    changed(tensor, (one) => (one['result'] = { __tensor__: true, shape: [1], dtype: '<f4', data_b64: '!' })),
    'data_b64 is not valid base64',
  ],
  [
    'an odd name',
    changed(voice, (_, info) => (info['init_load_info'] = [['a b', {}]])),
    'init_load_info[0][0] is not the name of a variable',
  ],
  [
    'a speech that is none',
    changed(voice, (_, info) => (info['init_load_info'] = [['a_load', { text: 'x' }]])),
    'init_load_info[0][1].is_speech must be true',
  ],
  [
    'no translations',
    Object.fromEntries(Object.entries(files).filter(([path]) => path !== agents)),
    `${agents} is missing`,
  ],
  [
    'a translation without messages',
    agentsOf(agents, (entry) => delete entry['generator_messages']),
    `${agents}: 0.generator_messages must be a list`,
  ],
  [
    'rows without a number',
    { 'a.jsonl': '{"evaluator_json": "{}"}' },
    'a.jsonl, line 1: example_id must be an integer',
  ],
  [
    'rows with broken JSON inside',
    { 'a.jsonl': '{"example_id": 1, "evaluator_json": "{"}' },
    'a.jsonl, line 1: evaluator_json is not valid JSON',
  ],
  ['the same case twice', { ...files, 'more.jsonl': rows('session') }, 'which is already imported'],
  ['no cases', { 'agent_data.json': '{}' }, 'the folder contains no cases'],
])('%s is refused', (_, broken, says) => {
  expect(() => importPublished(broken)).toThrow(says)
})

test.each<[string, Files, string, string]>([
  [
    'a tensor that is too large',
    changed(
      tensor,
      (_, info) =>
        (info['init_load_info'] = [
          ['user_tensor_0', { __tensor__: true, shape: [64, 64, 64, 64], dtype: '<f4', data_b64: '' }],
        ]),
    ),
    'init_load_info[0][1] has 16777216 elements; a tensor may have 1048576 here',
    'tensor too large',
  ],
  [
    'a tensor case without RESULT',
    changed(tensor, (one) => (one['result'] = null)),
    'is null, which the released evaluator cannot load either',
    'no RESULT',
  ],
  [
    'a rejected instruction',
    agentsOf(
      agents,
      (entry) => (entry['evaluator_messages'] = [{ role: 'assistant', content: 'diagnosis: unclear' }]),
    ),
    'the last judgement has no OK',
    'instruction rejected',
  ],
  [
    'a case without an instruction',
    {
      ...files,
      [agents]: JSON.stringify(
        Object.fromEntries(
          Object.entries(JSON.parse(files[agents]!) as Fields).filter(([key]) => key !== '0'),
        ),
      ),
    },
    'has no instruction',
    'no instruction',
  ],
])('%s is left out, and the others stay', (_, odd, says, reason) => {
  const set = importPublished(odd)
  expect(set.about.counts).toMatchObject({ generated: 10, kept: 9 })
  expect(set.warnings).toEqual([expect.stringContaining(says)])
  expect(set.about.filtered).toEqual([expect.objectContaining({ reason, count: 1, phase: 'import' })])
})

test.each<[string, string, boolean]>([
  ['<OK>', '<OK>', true],
  ['OK in a sentence', 'This is not OK yet.', false],
  ['a verdict of later versions', '{"verdict": "ok", "diagnosis": "", "suggestions": ""}', true],
])('an instruction judged by %s is taken; by <OK> alone soundly', (_, content, accepted) => {
  const { cases } = imported(
    agentsOf(agents, (entry) => (entry['evaluator_messages'] = [{ role: 'assistant', content }])),
  )
  expect(cases[0]?.task.accepted).toBe(accepted)
  expect(cases[0]?.task.flags.includes('not_accepted')).toBe(!accepted)
})

test('translations numbered by place are recognised where numbers have gaps', () => {
  const value = JSON.parse(files[agents]!) as Fields
  const paths = Object.keys(files)
    .filter((path) => path.startsWith('session/evaluator_'))
    .sort()
  const gaps = Object.fromEntries(
    paths.map((path, at) => [`session/evaluator_${10 * at + 5}.json`, files[path]!]),
  )
  const { cases, set } = imported({
    ...gaps,
    [agents]: JSON.stringify(Object.fromEntries(Object.values(value).map((one, at) => [at, one]))),
  })
  expect(cases).toHaveLength(3)
  expect(set.warnings[0]).toContain('translations are numbered by the position of their file')
})

test.each<[string, Files, string]>([
  [
    'a delete that deletes nothing',
    changed(
      session,
      (one) =>
        (one['program'] =
          'for item in response_0:\n    if "title" in item and item["title"] == "a":\n        requests.delete("{BASE_URL}/x")'),
    ),
    'dead_delete',
  ],
  [
    'two equal branches',
    changed(voice, (one) => (one['program'] = 'if a == b:\n    RESULT = a\nelse:\n    RESULT = a')),
    'same_branches',
  ],
  ['a list of sessions', changed(session, (one) => (one['result'] = [{ id: '1' }])), 'list_of_sessions'],
  ['an empty dict', changed(session, (one) => (one['result'] = {})), 'empty_truth'],
  ['no state', changed(session, (one) => (one['state_oracle'] = {})), 'no_state'],
])('%s is flagged', (_, odd, flag) => {
  const { cases, set } = imported(odd)
  expect(cases.some(({ task }) => task.flags.includes(flag))).toBe(true)
  expect(set.readme).toContain(`\`${flag}\``)
})

test('equal items are kept once, as the service does', () => {
  const item = { source: 'lab', type: 'group', data: { n: 1 } }
  const { cases } = imported(
    changed(
      session,
      (_, info) =>
        (info['init_implicit_dict'] = {
          2: item,
          3: { ...item, data: { n: '1' } },
          4: { ...item, data: { n: 2 } },
        }),
    ),
  )
  expect(cases[0]?.task.tests[0]?.items.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }])
})

test('lines are read back, and a broken one names its field', () => {
  const { set, benchmark } = imported(files)
  const value: unknown = JSON.parse(set.lines[0]!)
  if (!isRecord(value) || !isRecord(value['task'])) throw new Error('a line is an object')
  const broken = (task: Fields) => () =>
    benchmark.parse(JSON.stringify({ ...value, task: { ...(value['task'] as Fields), ...task } }))
  expect(broken({ scenario: 'chess' })).toThrow('/task/scenario')
  expect(broken({ scenario: 'voice' })).toThrow('/group')
  expect(broken({ tests: [] })).toThrow('/task/tests')
})
