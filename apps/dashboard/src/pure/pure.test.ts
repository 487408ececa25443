/** What views compute: figures by locale, pace, lists, search parameters, and requests from forms. */
import { expect, test } from '@jest/globals'
import {
  AgentOptions,
  type BenchmarkKind,
  BuildOptions,
  EvaluationOptions,
  type EvaluationResource,
  exampleProgram,
  type Review,
  type SampleRow,
} from '@stateeval/contracts'
import { formatShare as percentInTables } from '@stateeval/program/format'
import type { OptionSchema } from 'virtual:contract'
import { listAgentFields, buildFields, buildRequest } from './build.ts'
import { listCosts, sumKnownCosts } from './cost.ts'
import { formatDecisionLines, countOpen } from './decisions.ts'
import {
  count,
  formatDollars,
  formatUnscored,
  formatDurationLocal,
  formatIntervalLocal,
  formatMoment,
  formatPercentLocal,
  formatProbability,
} from './format.ts'
import {
  filterEvaluations,
  explainStop,
  parseTags,
  listTags,
  withEvaluation,
  removeEvaluation,
} from './listed.ts'
import { createOptionFields, buildEvaluationRequest } from './options.ts'
import { computePace, addSeen, type SeenProgress } from './pace.ts'
import { splitPhrases, listFlows, listShownSteps } from './program.ts'
import { buildTable } from './rows.ts'
import { getFirstPage, listPages, sampleSearch, toggleSort } from './samples.ts'
import { readChoice, readWholeNumber, readSearchText } from './search.ts'

test('figures are written as the reader’s locale does', () => {
  expect([count(12345.6, 'en'), count(12345.6, 'de')]).toEqual(['12,345.6', '12.345,6'])
  expect([formatPercentLocal(0.1234, 'en'), formatPercentLocal(null, 'en')]).toEqual(['12.3%', '–'])
  expect(formatIntervalLocal([0, 1], 'en')).toBe('0.0% – 100.0%')
  expect(formatIntervalLocal(null)).toBe('')
  expect([
    formatDollars(0.00029, 'en'),
    formatDollars(12.5, 'en'),
    formatDollars(0, 'en'),
    formatDollars(null),
  ]).toEqual(['$0.00029', '$12.50', '$0.00', '–'])
  expect(formatMoment('2026-11-22T14:34:10.333Z', 'en', 'Asia/Tokyo')).toMatch(/Nov 22, 2026, 11:34.PM/)
})

test('samples without a score are counted by reason', () => {
  expect([
    formatUnscored({ notScored: 3, notScoredByReason: { context: 2, not_recorded: 1 } }, 'en'),
    // As a version before reported it.
    formatUnscored({ notScored: 1200 }, 'en'),
  ]).toEqual(['3 not scored (2 context, 1 not recorded)', '1,200 not scored'])
})

test('the cost of an evaluation includes judges and the second opinion', () => {
  const usage = { requests: 1, promptTokens: 100, completionTokens: 10 }
  const judge = { model: 'judge', ...usage, costUsd: 0.5 }
  const secondOpinion = { ...usage, costUsd: null, retries: 0, kept: 0, repeated: 0 }
  const costs = listCosts({ usage, costUsd: 0.25, parties: { 'judge:match': judge }, secondOpinion })
  expect(costs).toEqual([
    { of: 'model', tokens: 110, usd: 0.25 },
    { of: 'judge:match', tokens: 110, usd: 0.5 },
    { of: 'second opinion', tokens: 110, usd: null },
  ])
  expect([sumKnownCosts(costs), sumKnownCosts(listCosts({ usage, costUsd: null }))]).toEqual([0.75, null])
})

test('a tiny probability is short', () => {
  const texts = [1, 0.0123, 0.0001, 0.000036, 1.2e-30, 0].map((p) => formatProbability(p, 'en'))
  expect(texts).toEqual(['1', '0.012', '0.0001', '3.6E-5', '1.2E-30', '0'])
})

test('a rate reads the same here and in the tables of the command', () => {
  const shares = [80, 400, 2000].flatMap((n) => Array.from({ length: n + 1 }, (_, passed) => passed / n))
  const differing = shares.filter(
    (share) => percentInTables(share) !== formatPercentLocal(share, 'en').replace('%', ' %'),
  )
  expect(differing).toEqual([])
  expect([0.2875, 1.005, -0.0625].map(percentInTables)).toEqual(['28.8 %', '100.5 %', '-6.3 %'])
})

test.each([
  [250, '0.3s'],
  [59_900, '60s'],
  [61_000, '1m 1s'],
  [3_599_000, '1h 0m'],
  [3_700_000, '1h 2m'],
  [90_000_000, '1d 1h'],
])('%i ms are %s', (ms, text) => expect(formatDurationLocal(ms, 'en')).toBe(text))

test('the pace is that of the newest minute of one phase', () => {
  const looks = [0, 30, 60, 90].map((s): SeenProgress => ({
    at: s * 1000,
    done: s === 90 ? 120 : s,
    phase: 'a',
  }))
  const seen = looks.reduce<SeenProgress[]>(addSeen, [])
  expect(seen.map(({ at }) => at / 1000)).toEqual([0, 30, 60, 90])
  expect(computePace(seen, 240)).toEqual({ rate: 120 / 90, left: 90_000 })
  expect(addSeen(seen, { at: 200_000, done: 121, phase: 'a' }).map(({ at }) => at / 1000)).toEqual([90, 200])
  expect(addSeen(seen, { at: 91_000, done: 0, phase: 'b' })).toHaveLength(1)
  expect([computePace(seen.slice(0, 1), 240), computePace([], 1)]).toEqual([null, null])
})

const evaluation = (id: string, more: Partial<EvaluationResource> = {}): EvaluationResource => ({
  id,
  status: 'succeeded',
  createdAt: `2026-01-01T00:00:0${id}.000Z`,
  progress: { done: 1, total: 1, phase: 'report' },
  links: {},
  benchmark: 'bm_1',
  digest: '',
  model: `model-${id}`,
  options: { samples: 1, prompting: 'direct', documentation: 'full', rounds: 2, shots: 3, seed: 1 },
  counts: { samples: 2, scored: 2, passed: Number(id), notScored: 0, timeouts: 0 },
  ...more,
})

test('a list is filtered and sorted as its address says', () => {
  const all = [
    evaluation('1'),
    evaluation('2', { status: 'failed', error: 'Disk full' }),
    evaluation('0', {
      benchmark: 'bm_2',
      counts: { samples: 1, scored: 0, passed: 0, notScored: 1, timeouts: 0 },
    }),
  ]
  const ids = (...of: Parameters<typeof filterEvaluations>) =>
    filterEvaluations(...of)
      .map(({ id }) => id)
      .join('')
  expect(ids(all, {})).toBe('210')
  expect(ids(all, { sort: 'oldest' })).toBe('012')
  expect(ids(all, { sort: 'model' })).toBe('012')
  expect(ids(all, { sort: 'rate' })).toBe('210')
  expect(ids(all, { status: 'failed' })).toBe('2')
  expect(ids(all, { benchmark: 'bm_2' })).toBe('0')
  expect(ids(all, { q: 'disk MODEL' })).toBe('2')
  const tagged = all.map((one, n) => ({ ...one, tags: n === 1 ? ['nightly', 'a'] : ['a'] }))
  expect([ids(tagged, { tag: 'nightly' }), ids(tagged, { q: 'NIGHT' }), ids(all, { tag: 'a' })]).toEqual([
    '2',
    '2',
    '',
  ])
  expect([listTags(tagged), parseTags(' b, a\n b,')]).toEqual([
    ['a', 'nightly'],
    ['b', 'a'],
  ])
})

test('a list takes in what became of one of its evaluations', () => {
  const all = [evaluation('1'), evaluation('2')]
  const failed = evaluation('2', { status: 'failed' })
  expect(withEvaluation(all, failed)).toEqual([all[0], failed])
  expect(withEvaluation(all, evaluation('3'))).toEqual([...all, evaluation('3')])
  expect(removeEvaluation(all, '1')).toEqual([all[1]])
  expect([withEvaluation(undefined, failed), removeEvaluation(undefined, '1')]).toEqual([
    undefined,
    undefined,
  ])
})

test('the table’s state is read from an address, and is the first page’s query', () => {
  const search = sampleSearch({ passed: 'no', search: 5, differs: 'any', at: 3, order: 'sideways' })
  expect(search).toEqual({ passed: 'no', search: '5', at: 3 })
  expect(getFirstPage(search)).toEqual({ passed: 'no', search: '5', from: 0, limit: 100 })
})

test('what ended before its first sample is told from what stopped while it ran', () => {
  const none = { samples: 2, scored: 0, passed: 0, notScored: 0, timeouts: 0 }
  expect(explainStop(evaluation('1'))).toBeNull()
  expect(explainStop(evaluation('1', { status: 'failed', counts: none, error: 'x' }))).toBe(
    'Failed before its first sample: x',
  )
  expect(explainStop(evaluation('1', { status: 'cancelled' }))).toBe('Stopped while it ran')
})

test('search parameters may be anything', () => {
  const search = { q: 12, status: ['x'], sort: 'rate', at: '7', from: '-1' }
  expect(readSearchText(search, 'q')).toEqual({ q: '12' })
  expect([readSearchText(search, 'status'), readSearchText(search, 'none')]).toEqual([{}, {}])
  expect(readChoice(search, 'sort', ['rate', 'cost'])).toEqual({ sort: 'rate' })
  expect(readChoice(search, 'sort', ['cost'])).toEqual({})
  expect([
    readWholeNumber(search, 'at'),
    readWholeNumber(search, 'from'),
    readWholeNumber(search, 'q'),
  ]).toEqual([{ at: 7 }, {}, { q: 12 }])
})

const kind: BenchmarkKind = {
  kind: 'k',
  title: 'K',
  version: '1',
  policies: ['strict', 'lenient'],
  verdicts: [],
  promptings: ['direct', 'reflect'],
  documentation: 'relevant',
  languages: ['javascript'],
  setups: [],
  layouts: [],
  settings: ['published'],
  limits: { turns: 20 },
  rootCauses: [],
  writing: false,
  scenarios: [
    { id: 'sessions', title: 'Sessions' },
    {
      id: 'tensors',
      title: 'Tensors',
      options: { elements: { about: 'At most', minimum: 1, maximum: 9, default: 5 } },
    },
  ],
  help: { settings: 'those of the paper' },
}
const options = EvaluationOptions.properties as unknown as Readonly<Record<string, OptionSchema>>

test('a form has the options that the kind of benchmark has, and asks for what differs', () => {
  const fields = createOptionFields(options, kind, 'reflect')
  expect(fields.map(({ name }) => name)).toEqual(
    ['mode', 'samples', 'prompting', 'documentation', 'rounds', 'policy', 'settings', 'timeLimit'].concat(
      ...['limits.turns', 'limits.calls', 'limits.tokens', 'limits.seconds', 'seed'],
    ),
  )
  expect(createOptionFields(options, kind, undefined).map(({ name }) => name)).not.toContain('rounds')
  expect(fields.find(({ name }) => name === 'documentation')).toMatchObject({
    usual: 'relevant',
    choices: ['relevant', 'full', 'none'],
  })
  expect(fields.find(({ name }) => name === 'settings')?.help).toMatch(/\. those of the paper$/)
  const entries = new Map([
    ['samples', '3'],
    ['prompting', 'direct'],
    ['seed', 'abc'],
    ['limits.turns', '5'],
    ['budget.usd', '1.5'],
    ['judge', ''],
    ['user', 'actor'],
  ])
  expect(buildEvaluationRequest(fields, entries, { benchmark: 'bm_1', model: 'm' })).toEqual({
    benchmark: 'bm_1',
    model: 'm',
    samples: 3,
    seed: 'abc',
    limits: { turns: 5 },
    budget: { usd: 1.5 },
    user: 'actor',
  })
})

test('rows in view and around them are on these pages; a head sorts up, then down', () => {
  expect([listPages(0, 20, 100_000), listPages(300, 320, 100_000), listPages(0, 20, 60)]).toEqual([
    [1],
    [1, 2, 3, 4],
    [],
  ])
  expect(listPages(99_980, 99_999, 100_000)).toEqual([998, 999])
  expect(toggleSort({}, 'cause')).toEqual({ sort: 'cause' })
  expect(toggleSort({ sort: 'cause' }, 'cause')).toEqual({ sort: 'cause', order: 'falling' })
  expect([toggleSort({ sort: 'cause', order: 'falling' }, 'place'), toggleSort({}, 'place')]).toEqual([
    {},
    { order: 'falling' },
  ])
})

test('a program is a list of steps with lines from outputs to where they are taken', () => {
  const ref = (variable: string, ...path: (string | number)[]) => ({
    kind: 'reference' as const,
    variable,
    path,
  })
  const call = (api: string, args: Record<string, ReturnType<typeof ref>>, binds?: string) => ({
    ...{ kind: 'tool' as const, api, args },
    ...(binds !== undefined && { binds }),
  })
  const shown = listShownSteps({
    ...exampleProgram,
    body: [call('find', { text: ref('user_variable_0', 'title') }, 'found')],
    branch: {
      condition: { variable: 'found', path: [], measure: 'count', equals: 'user_constant_0' },
      then: {
        steps: [
          { kind: 'edit', target: ref('user_variable_0', 'a b'), value: ref('found', 0, 'id') },
          call('add', { item: ref('user_variable_0') }, 'made'),
        ],
        result: [{ key: 'made', value: ref('made') }],
      },
      otherwise: {
        steps: [call('get', {}, 'got')],
        result: [],
        branch: {
          condition: { variable: 'got', path: ['id'], measure: 'value', equals: 'user_constant_1' },
          then: { steps: [], result: [{ key: 'found', value: ref('found') }] },
          otherwise: { steps: [], result: [{ key: 'got', value: ref('got') }] },
        },
      },
    },
  })
  expect(shown.map(({ text }) => text)).toEqual([
    'find(text: user_variable_0.title)',
    'if the number of found is user_constant_0',
    'user_variable_0["a b"] = found[0].id',
    'add(item: user_variable_0)',
    'RESULT = { made: made }',
    'otherwise',
    'get()',
    'if got.id is user_constant_1',
    'RESULT = { found: found }',
    'otherwise',
    'RESULT = { got: got }',
  ])
  expect(shown.slice(7).map(({ place, depth }) => `${place} ${depth}`)).toEqual([
    'otherwise/condition 1',
    'otherwise/then/result 2',
    'otherwise/otherwise 1',
    'otherwise/otherwise/result 2',
  ])
  expect(listFlows(shown).map(({ from, to, as }) => [from, to, as])).toEqual([
    [0, 1, 'what is compared'],
    [0, 2, 'its new value'],
    [0, 8, 'found'],
    [2, 3, 'item'],
    [3, 4, 'made'],
    [6, 7, 'what is compared'],
    [6, 10, 'got'],
  ])
  const lanes = listFlows(shown).map(({ lane }) => lane)
  expect(new Set(lanes.slice(0, 3)).size).toBe(3)
})

test('an instruction is cut into its phrases; phrases that fit nowhere are left out', () => {
  const phrases = [
    { from: 3, to: 5, place: 'body/0' },
    { from: 4, to: 6, place: 'body/1' },
    { from: 6, to: 99, place: 'body/2' },
  ]
  expect(splitPhrases('abcdefgh', phrases)).toEqual([
    { text: 'abc' },
    { text: 'de', place: 'body/0' },
    { text: 'fgh' },
  ])
})

type Schemas = Readonly<Record<string, OptionSchema>>
const schemas = BuildOptions.properties as unknown as Schemas
const agentSchemas = AgentOptions.properties as unknown as Schemas

test('a form of a build has the options of its scenario, and asks for what differs', () => {
  const names = (scenario: string) => buildFields(schemas, kind, scenario).map(({ name }) => name)
  expect(names('sessions')).not.toContain('scenarioOptions.elements')
  expect(names('tensors')).toContain('scenarioOptions.elements')
  const fields = [...buildFields(schemas, kind, 'all'), ...listAgentFields(agentSchemas)]
  const entries = new Map([
    ...fields.map(({ name, usual }): [string, string] => [name, usual]),
    ...Object.entries({ seed: '7', controlFlow: 'false', languages: 'python javascript', length: '' }),
    ...Object.entries({ 'scenarioOptions.elements': '3', 'agents.generator': 'qwen', 'agents.rounds': '2' }),
  ])
  const request = { scenario: 'all', seed: 7, controlFlow: false, scenarioOptions: { elements: 3 } }
  expect(buildRequest(fields, entries, 'all')).toEqual({
    ...request,
    languages: ['python', 'javascript'],
  })
  entries.set('translator', 'agents')
  expect(buildRequest(fields, entries, 'all')).toMatchObject({
    translator: 'agents',
    agents: { generator: 'qwen', rounds: 2 },
  })
})

test('decisions are a line each, and only what nobody decided is open', () => {
  const review = (name: string, decisions: object[]) =>
    ({ case: name, status: 'needs_review', decisions }) as unknown as Review
  const decision = { decision: 'reject', by: 'me', because: 'vague', at: '2026-01-01T00:00:00.000Z' }
  const reviews = [review('a', [decision, { ...decision, decision: 'accept' }]), review('b', [])]
  expect(countOpen(reviews)).toBe(1)
  const lines = formatDecisionLines('bm_1', reviews).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { benchmark: 'bm_1', case: 'a', ...decision },
    { benchmark: 'bm_1', case: 'a', ...decision, decision: 'accept' },
  ])
})

test('rows inside a file are filtered and counted as the service does it', () => {
  const row = (place: number, more: Partial<SampleRow>): SampleRow => ({
    ...{ place, case: `c${place}`, sample: 0, group: 'g', passed: false, verdict: 'v', says: '' },
    ...more,
  })
  const rows = [
    row(0, { passed: true, verdict: 'passed' }),
    row(1, { cause: 'x', says: 'RESULT has no list' }),
    row(2, { passed: null, verdict: null, says: 'no place' }),
  ]
  expect(buildTable(rows, { passed: 'no' })).toMatchObject({ ended: 3, total: 1, items: [{ place: 1 }] })
  expect(buildTable(rows, { search: 'list result' }).items.map(({ place }) => place)).toEqual([1])
  expect(buildTable(rows, { passed: 'not scored' }).items.map(({ place }) => place)).toEqual([2])
  expect(buildTable(rows, { from: 1, limit: 1 })).toMatchObject({
    total: 3,
    items: [{ place: 1 }],
    verdicts: { passed: 1, v: 1 },
    causes: { x: 1 },
  })
})
