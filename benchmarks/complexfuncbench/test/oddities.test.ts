/** What the released code does besides its table of dialogues: requests, responses, steps, and figures. */
import { expect, test } from '@jest/globals'
import type { Consultation, EpisodeEvent, JsonValue, LiveRequest, ScoredSample } from '@stateeval/contracts'
import { lead, type Saying } from './lead.ts'
import { but, caseOf, flights, legs, lis, multiStops, osl, round, seats, details, trip } from './paths.ts'

const absent: EpisodeEvent = { kind: 'unavailable', reason: 'not_configured', detail: 'nobody' }
const here = caseOf(trip)
const c = here.cases[0]!

/** Leads a dialogue with a live API; gives what it was asked. */
async function withApi(path: typeof trip, script: readonly Saying[], bodies: readonly string[]) {
  const requests: LiveRequest[] = []
  const other = caseOf(path)
  const led = await lead(other, other.cases[0]!, script, {
    consult: (need: Consultation['need']): EpisodeEvent => {
      if (need.kind !== 'http') return absent
      requests.push(need.request)
      return { kind: 'responded', status: 200, body: bodies[requests.length - 1] ?? '{}' }
    },
  })
  return { ...led, requests }
}

test.each<[string, JsonValue, string]>([
  [
    'a list',
    [{ ...legs[0]!, date: 'März' }],
    '[{"fromId": "OSL.AIRPORT", "toId": "LIS.AIRPORT", "date": "März"}]',
  ],
  ['an empty list', [], '[]'],
])('legs are sent as JSON without escapes: %s', async (_, value, text) => {
  const { requests } = await withApi(round, [[but(multiStops, { legs: value })], 'Done.'], [])
  expect(requests[0]?.query?.['legs']).toBe(text)
})

test.each<[string, string, string, boolean]>([
  [
    'true',
    '{"status": true, "timestamp": 1, "data": 1}',
    '{"status": true, "timestamp": 2, "data": 1}',
    true,
  ],
  [
    '1, which equals True',
    '{"status": 1, "timestamp": 1, "data": 1}',
    '{"status": 1, "timestamp": 2, "data": 1}',
    true,
  ],
  [
    '"true", which does not',
    '{"status": "true", "timestamp": 1, "data": 1}',
    '{"status": "true", "timestamp": 2, "data": 1}',
    false,
  ],
  ['"true" without a timestamp', '{"status": "true", "data": 1}', '{"status": "true", "data": 1}', true],
])('a response of the status %s', async (_, actual, expected, isEqual) => {
  const { rounds } = await withApi(trip, [[but(lis, { query: 'Lisboa' }), osl], 'Done.'], [actual, expected])
  expect(rounds[0]!.calls[0]!.how === 'response').toBe(isEqual)
})

test('a round that a call without form, or one too many, ended is no step', async () => {
  const golden: Saying[] = [[lis, osl], [flights], [details, seats]]
  const broken = await lead(here, c, [...golden.slice(0, 1), [['Search_Flights', '{"fromId": ']]])
  expect(broken.score.metrics).toMatchObject({ steps: 1, ended_by_text: 0 })
  const tooMany = await lead(here, c, [...golden, [seats]])
  expect([tooMany.end?.message, tooMany.score.metrics['steps']]).toEqual(['func_hallucination', 3])
  // A round without a match was compared.
  const wrong = await lead(here, c, [...golden.slice(0, 1), [but(flights, { toId: 'BGO.AIRPORT' })]])
  expect(wrong.score.metrics).toMatchObject({ steps: 2, ended_by_text: 0 })
})

test('extra steps are those of runs that ended with a text; other domains are divided by 150', async () => {
  const scripts: Saying[][] = [
    [[lis], [osl], [flights], [details], [seats], 'Done.'],
    [[lis, osl], [but(flights, { toId: 'BGO.AIRPORT' })]],
  ]
  const taxi = { ...c, group: 'Taxi' }
  const samples: ScoredSample[] = []
  for (const script of scripts)
    samples.push({ case: c.id, sample: samples.length, score: (await lead(here, c, script)).score })
  const about = { digest: 'd', model: 'm', options: {} }
  const { measures = [] } = here.benchmark.aggregate(samples, [taxi], about)
  const of = (group: string) =>
    measures.find((one) => one.policy === 'published' && one.group === group)?.values
  // Five steps for three, and nothing of the run that ended with an error.
  expect(of('all')).toMatchObject({
    'Runs that ended with a text': 1,
    'Mean extra steps': 2,
    'Mean steps': 3.5,
  })
  expect(of('domain')?.['Success rate']).toBe(0.006667)
})

test('a loop counts a parameter of its golden call once, and each comparison beside it', async () => {
  const wrong: Saying = [but(flights, { departDate: '2024-11-15' })]
  const script: Saying[] = [[lis, osl], ...Array.from({ length: 30 }, () => wrong), 'Done.']
  const { score } = await lead(here, c, script, { policy: 'sound' })
  expect(score.policies!['sound']!.metrics).toMatchObject({
    'compared/date': 1,
    'wrong/date': 1,
    'comparisons/date': 30,
    'wrong_comparisons/date': 30,
    'compared/location': 2,
  })
  const about = { digest: 'd', model: 'm', options: {} }
  const { measures = [] } = here.benchmark.aggregate([{ case: c.id, sample: 0, score }], here.cases, about)
  const values = (name: string) =>
    measures.find((one) => one.policy === 'sound' && one.group === 'parameter' && one.name === name)?.values
  expect(values('date')).toMatchObject({ 'Error rate': 1, Comparisons: 30, 'Comparison error rate': 1 })
  expect(values('id')).toMatchObject({ Compared: 2, Wrong: 0, Comparisons: 60, 'Comparison error rate': 0 })
})
