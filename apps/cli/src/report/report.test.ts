import { stripVTControlCharacters } from 'node:util'
import { expect, test } from '@jest/globals'
import type { ReportResult } from '@stateeval/contracts'
import pico from 'picocolors'
import { quoteCsvCell, formatReportCsv } from './csv.ts'
import { formatPlural, splitWords } from './format.ts'
import { formats } from './index.ts'
import { escapeXml } from './junit.ts'

const rate = (passed: number, scored: number) => ({
  passed,
  scored,
  rate: passed / scored,
  interval: [0.1, 0.9] as [number, number],
})
const result: ReportResult = {
  digest: 'f'.repeat(64),
  model: 'toy <model>',
  options: {},
  version: '1',
  overall: rate(1, 2),
  notScored: 1,
  verdicts: { passed: 1, result_error: 1, timeout: 0 },
  rootCauses: { instruction_not_followed: 1 },
  groups: { scenario: [{ name: 'session-service', rate: rate(1, 2) }] },
  samples: [
    {
      case: 'session-service/a',
      sample: 0,
      score: { passed: true, verdict: 'passed', metrics: { pass: 1 }, evidence: { differences: [] } },
    },
    {
      case: 'session-service/b',
      sample: 0,
      score: {
        passed: false,
        verdict: 'result_error',
        metrics: { pass: 0 },
        evidence: { differences: [{ where: 'result', says: '=1+1 "quoted", <tag> & \u0001' }] },
      },
    },
    { case: 'session-service/c', sample: 0, score: null, notScored: 'the world was away' },
  ],
}
const print = (format: string, reportResult: ReportResult, colored = false) =>
  formats[format]!({ result: reportResult, run: { kind: 'stateeval' } }, pico.createColors(colored))
const show = (format: string) => print(format, result)

test('the table has counts, verdicts and what differed', () => {
  const text = show('table')
  expect(text).toContain('1/2')
  expect(text).toContain('result error')
  expect(text).not.toContain('timeout')
  expect(text).toContain('=1+1 "quoted"')
  expect(text).toContain('1 sample was not scored')
})

test('the table says how canaries found the warm jails, and what followed', () => {
  const showCanaries = (clean: number, touched: number) =>
    formats['table']!({ result, run: { canaries: { clean, touched } } }, pico.createColors(false))
  expect(showCanaries(412, 0)).toMatch(/Canaries: 412 of 412 clean\.$/m)
  expect(showCanaries(411, 1)).toMatch(/Canaries: 411 of 412 clean\. .* repeated in separate jails\./)
})

test('colours are written where they are wanted, and change nothing else', () => {
  const colored = print('table', result, true)
  expect(colored).not.toBe(show('table'))
  expect(stripVTControlCharacters(colored)).toBe(show('table'))
})

test('sections of the table stand apart, lines of one do not', () => {
  const text = print('table', {
    ...result,
    mutation: {
      score: 0.5,
      interval: [0.1, 0.9],
      caught: 1,
      byException: 0,
      byComparison: 1,
      survived: 1,
      equivalent: 0,
      disputed: 0,
      operators: [],
      survivors: [{ case: 'session-service/a', sample: 0, operator: 'dropped_call', site: 'body[0]' }],
    },
  })
  const sections = text
    .split('\n\n')
    .map((section) => section.split('\n').map((line) => line.trim().split(/  |:/)[0]))
  expect(sections).toEqual([
    ['toy <model> on benchmark ffffffffffff', 'pass@1', 'all', 'scenario'],
    ['verdict', 'passed', 'result error'],
    ['root cause of failures', 'instruction not followed'],
    ['1 sample was not scored, and counts in no rate, only in the brackets', '1 × the world was away'],
    ['Mutation score', 'operator', 'all'],
    ['Survivors', 'session-service/a sample 0', ''],
  ])
})

test('csv quotes, and never starts a formula', () => {
  const lines = show('csv').split('\r\n')
  expect(lines[0]).toBe(
    'case,sample,verdict,passed,not_scored,root_cause,root_cause_kind,api,argument,error,attempts,explanation,pass',
  )
  expect(lines[1]).toBe('session-service/a,0,passed,true,,,,,,,1,,1')
  expect(lines[2]).toContain(`"'=1+1 ""quoted"", <tag> & \u0001"`)
  expect(quoteCsvCell(-1)).toBe('-1')
  expect(quoteCsvCell('\r=1+1')).toBe(`"'\r=1+1"`)
})

test('csv has each column once, even if a kind shows a metric', () => {
  const columns = () => [{ name: 'pass', of: () => 1 }]
  const [head] = formatReportCsv(result, { columns }).split('\r\n')
  expect(head).toBe('case,sample,verdict,passed,not_scored,pass,error,attempts,explanation')
})

test('junit is well-formed: markup and control characters are escaped, not scored is skipped', () => {
  const text = show('junit')
  expect(text).toContain('tests="3" failures="1" errors="0" skipped="1"')
  expect(text).toContain('&lt;tag&gt; &amp; \ufffd')
  expect(text).toContain('<skipped message="the world was away"/>')
  expect(escapeXml('\ud800x\u{1F600}')).toBe('\ufffdx\u{1F600}')
})

test('a kind that adds nothing has neither columns nor sections of another', () => {
  const plain = (format: string) =>
    formats[format]!({ result: rich, run: { kind: 'wapiibench' } }, pico.createColors(false))
  expect(plain('csv').split('\r\n')[0]).toBe(
    'case,sample,verdict,passed,not_scored,error,attempts,explanation,pass',
  )
  expect(plain('table')).not.toMatch(/[Ee]rror types|[Rr]oot cause/)
})

test('jsonl has a line a sample, json the whole report', () => {
  expect(
    show('jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { case: string }).case),
  ).toEqual(result.samples.map((s) => s.case))
  expect((JSON.parse(show('json')) as { result: unknown }).result).toEqual(result)
})

const rich: ReportResult = {
  ...result,
  firstTry: rate(1, 2),
  statistics: {
    cases: 2,
    clustered: [0, 1],
    passAtK: [1, 2].map((k) => ({ k, estimate: k / 2, cases: 2 })),
    passAllK: [1, 2].map((k) => ({ k, estimate: 0.5 / k, cases: 2 })),
  },
  groups: { api: ['addSession', 'deleteSession</text><script>'].map((name) => ({ name, rate: rate(1, 2) })) },
  errors: {
    byScenario: [{ name: 'session-service', failed: 3, syntax: 0, execution: 2, result: 1 }],
    exceptions: [{ name: 'AxiosError 404', samples: 2 }],
    kinds: [{ name: 'implicit_state_mismanaged/stale_id', samples: 2 }],
    apis: [{ name: 'deleteSession', samples: 2 }],
    arguments: [{ name: 'deleteSession.id', samples: 2 }],
    items: [{ name: 'items[].data.title', samples: 1 }],
  },
}

test('error types, finer lists, several samples and first tries are in the table', () => {
  const text = print('table', rich)
  for (const part of [
    'First tries: 1/2',
    'pass^k: all k pass',
    'error types',
    'AxiosError 404',
    'implicit state mismanaged/stale id',
    'deleteSession.id',
  ])
    expect(text).toContain(part)
})

test('which interval it is stands under the rates', () => {
  const about = { ...result, explanations: { clustered: 'Whole <cases> are drawn. Read it so.' } }
  expect(print('table', about)).toContain('Whole <cases> are drawn. Read it so.')
})

test('second opinions: agreement, counts, and where they differ, only where a model was asked', () => {
  expect(show('table')).not.toContain('econd opinion')
  const [one, two] = ['documentation_misread', 'instruction_not_followed'] as const
  const withOpinions: ReportResult = {
    ...result,
    samples: result.samples.map((sample, at) =>
      at === 1 ? { ...sample, secondOpinion: { cause: two, because: 'no <listing>' } } : sample,
    ),
    secondOpinion: {
      model: 'judge',
      failed: 9,
      unclear: 1,
      absent: [{ reason: 'the endpoint was away', samples: 2 }],
      compared: 6,
      agreed: 5,
      share: 0.833333,
      interval: [0.4365, 0.9699],
      kappa: 0.571429,
      kappaInterval: null,
      causes: [{ ours: one, theirs: two, samples: 1 }],
      differ: [{ case: 'session-service/b', sample: 0, ours: one, theirs: two, because: 'no <listing>' }],
    },
  }
  const text = print('table', withOpinions)
  expect(text).toContain(
    'Second opinion of judge on 9 failed samples: 5 of 6 causes agree, 83.3 % (95 % interval 43.7–97.0 %); Cohen’s kappa 0.57; 1 answer names none, 2 samples have no opinion.\n  2 × the endpoint was away\n',
  )
  expect(text).toMatch(/documentation misread +instruction not followed +1/)
  expect(text).toContain(
    'session-service/b sample 0: documentation misread; judge: instruction not followed, no <listing>',
  )
  const [head, , row] = print('csv', withOpinions).split('\r\n')
  expect(head).toContain('argument,second_opinion,error')
  expect(row).toContain(',instruction_not_followed,')
})

test('a partial report says so in every form that people read', () => {
  const partial: ReportResult = { ...result, partial: { status: 'cancelled', ended: 3, samples: 40 } }
  for (const format of ['table', 'junit']) {
    expect(print(format, partial)).toContain('the evaluation was cancelled; 3 of 40 samples have ended')
    expect(show(format)).not.toContain('artial')
  }
})

test('APIs of several scenarios stand with their scenario', () => {
  const groups = {
    api: ['one', 'two'].map((scenario) => ({ name: 'addSession', scenario, rate: rate(1, 2) })),
  }
  expect(print('table', { ...result, groups })).toMatch(/api: one addSession .*\n api: two addSession /)
})

test('time limits are named where they decide the rate, not where they are few', () => {
  const timeouts = (n: number, of: number, options = {}) =>
    print('table', { ...result, options, overall: rate(1, of), verdicts: { timeout: n } })
  expect(timeouts(5, 20)).toContain(
    '5 of 20 scored samples (25.0 %) ran into their time limit (10 s by default)',
  )
  expect(timeouts(5, 20, { timeLimit: 2.5 })).toContain('(2.5 s), which counts as failed')
  for (const text of [timeouts(2, 3), timeouts(5, 40)]) expect(text).not.toContain('time limit')
})

test('what kept samples from a score is told with commands', () => {
  const samples = [{ case: 'a', sample: 0, score: null, notScored: 'no key; PUT /v1/models/mine names it' }]
  expect(print('table', { ...result, samples })).toContain(
    '1 × no key; `npx stateeval model mine --base-url URL` names it',
  )
})

test('reasons that differ in numbers only are counted together', () => {
  const tooLong = (n: number) => `the prompt of ${n} tokens does not fit the model’s context`
  const samples = [5001, 6002, 7003].map((n, sample) => ({
    ...{ case: 'a', sample, score: null, notScored: tooLong(n), reason: 'context' as const },
  }))
  const text = print('table', { ...result, notScored: 3, samples })
  expect(text).toContain(`3 × context: ${tooLong(5001)}`)
  expect(text).not.toContain('6002')
})

test('counts and names read as words', () => {
  expect([
    formatPlural(1, 'endpoint'),
    formatPlural(2, 'endpoint'),
    formatPlural(0, 'sample has', 'samples have'),
  ]).toEqual(['1 endpoint', '2 endpoints', '0 samples have'])
  expect(['bindingCount', 'path_depth', 'ATC', 'codeTokens'].map(splitWords)).toEqual([
    'binding count',
    'path depth',
    'ATC',
    'code tokens',
  ])
})
