/** Explanations name what is wrong, and older runs are judged anew. */
import { expect, test } from '@jest/globals'
import type { Candidate, JsonValue } from '@stateeval/contracts'
import { listSpokenCalls } from '../spoken.ts'
import { dialogues } from './dialogues.table.ts'
import { lead, type Saying } from './lead.ts'
import { but, caseOf, details, flights, lis, osl, seats, trip } from './paths.ts'

const here = caseOf(trip)
const c = here.cases[0]!
const first: Saying = [lis, osl]

async function explained(script: readonly Saying[], options: { policy?: string; layout?: string } = {}) {
  const { score, end } = await lead(here, c, script, options)
  return { score, end, says: score.evidence.differences }
}

test.each<[string, Saying, string, string]>([
  [
    'broken JSON',
    [['Search_Flights', '{"fromId": ']],
    'published',
    'arguments: they are not valid JSON: a value is missing at character 11',
  ],
  [
    'broken JSON',
    [['Search_Flights', '{"fromId": ']],
    'sound',
    'arguments: they are not valid JSON: a value is missing at character 11',
  ],
  [
    'an unknown name',
    [['Fly_Me', {}]],
    'published',
    'name: Function Fly_Me is not defined in the function list.',
  ],
  ['an unknown name', [['Fly_Me', {}]], 'sound', 'Function Fly_Me is not defined in the function list.'],
  ['a missing argument', [but(flights, { toId: undefined })], 'published', 'do not provide {'],
  ['a missing argument', [but(flights, { toId: undefined })], 'sound', 'do not provide {'],
  [
    'a call too many',
    [flights, seats, details, but(details, { token: 't2' })],
    'published',
    'no open golden call is left for it',
  ],
])('%s in a call is said as that: %#', async (_, wrong, policy, reason) => {
  const { says } = await explained([first, wrong, 'Done.'], { policy })
  const said = says.filter(({ where }) => where.startsWith('reply 2'))
  expect(said.map((one) => one.says).join('\n')).toContain(reason)
  // Beside what the model wrote.
  expect(said.map((one) => one.found?.split(' ')[0])).toEqual([(wrong as Exclude<Saying, string>).at(-1)![0]])
})

test('of a round that one call ended, the others are said not to be compared', async () => {
  const { says, end } = await explained([first, [flights, ['Search_Flights', 'no JSON']], 'Done.'])
  expect(end?.message).toBe('decode_error')
  expect(says.slice(0, 2).map((one) => one.says)).toEqual([
    'Search_Flights: not compared: call 2 ended the dialogue',
    'Search_Flights: arguments: they are not valid JSON: a value is missing at character 0',
  ])
})

test.each(['published', 'sound'])(
  'an early stop names the golden calls that are missing: %s',
  async (policy) => {
    const { says, end } = await explained([first, 'I would rather not.'], { policy })
    expect(end?.verdict).toBe('stop_early')
    expect(
      says.slice(1).map(({ where, expected, says: text }) => [where, expected?.split(' ')[0], text]),
    ).toEqual([
      ['step 2', 'Search_Flights', 'Search_Flights is missing'],
      ['step 3', 'Get_Flight_Details', 'Get_Flight_Details is missing'],
      ['step 3', 'Get_Seat_Map', 'Get_Seat_Map is missing'],
    ])
  },
)

test('an early stop names the calls that the final text holds', async () => {
  const text = `I will search:\n<tool_call>\n{"name": "Search_Flights", "arguments": {"fromId": "LIS.AIRPORT"}}\n</tool_call>`
  const { says } = await explained([first, text])
  expect(says.at(-1)).toEqual({
    where: 'final text',
    found: 'Search_Flights {"fromId": "LIS.AIRPORT"}',
    says: 'the final text holds this call, which is not written in the form that the layout reads',
  })
  const { functions } = trip
  expect(listSpokenCalls('Let me try Get_Seat_Map(offerToken="o1").', { functions })).toEqual([
    'Get_Seat_Map(offerToken="o1")',
  ])
  expect(listSpokenCalls('{"function": {"name": "Get_Seat_Map", "arguments": "{}"}}', { functions })).toEqual(
    ['Get_Seat_Map {}'],
  )
  expect(listSpokenCalls('The seat map {"name": "Lisbon"} is full.', { functions })).toEqual([])
})

test('golden calls by step stand beside those of the answer, with the stage that matched', async () => {
  const script: Saying[] = [first, [but(flights, { toId: 'BGO.AIRPORT' })], [flights], [lis], 'Done.']
  const { score } = await lead(here, c, script, { policy: 'sound' })
  expect(
    score.evidence.matches?.map(({ step, expected, by, reply, found }) => [
      step,
      expected?.split(' ')[0],
      by,
      reply,
      found?.split(' ')[0],
    ]),
  ).toEqual([
    [1, 'Search_Flight_Location', 'rule', 1, 'Search_Flight_Location'],
    [1, 'Search_Flight_Location', 'free', 4, 'Search_Flight_Location'],
    [1, 'Search_Flight_Location', 'rule', 1, 'Search_Flight_Location'],
    [2, 'Search_Flights', undefined, 2, 'Search_Flights'],
    [2, 'Search_Flights', 'rule', 3, 'Search_Flights'],
    [3, 'Get_Flight_Details', undefined, undefined, undefined],
    [3, 'Get_Seat_Map', undefined, undefined, undefined],
  ])
  expect(here.benchmark.dialogues!.steps!(c)).toEqual(c.task.turns)
})

test('an early stop is explained truly: with the calls that are said to be missing, the run succeeds', async () => {
  const early = dialogues.filter(
    ({ sound, layout, live, judge }) =>
      sound.startsWith('stop_early') && !layout && !live && judge === undefined,
  )
  expect(early.length).toBeGreaterThan(5)
  for (const { name, path, script, limits } of early) {
    const other = caseOf(path)
    const [of] = other.cases
    const options = { policy: 'sound', ...(limits && { limits }) }
    const { end } = await lead(other, of!, script, options)
    const golden = of!.task.turns.flat()
    const missing = end!.missing!.map((id): Saying => [[golden[id]!.name, golden[id]!.arguments]])
    expect([name, missing.length > 0]).toEqual([name, true])
    const calls = script.filter((saying) => typeof saying !== 'string')
    const whole = await lead(other, of!, [...calls, ...missing, 'Done.'], options)
    expect([name, whole.end?.verdict, whole.end?.missing]).toEqual([name, 'success', []])
  }
})

/** A candidate as the rules before version 6 left it. */
const older = (candidate: Candidate, end: object): Candidate => ({
  ...candidate,
  said: {
    ...candidate.said,
    decisions: (candidate.said as { decisions: JsonValue[] }).decisions.map((one) => {
      const { version: _, ...decision } = one as { version?: string; kind: string }
      return decision.kind === 'end' ? { ...decision, ...end } : decision
    }),
  } as Candidate['said'],
})

test('a run that older rules led is judged anew from its record', async () => {
  const { candidate } = await lead(here, c, [first, ''])
  const stored = older(candidate, { by: 'policy', verdict: 'unrecorded', message: 'unknown_error', steps: 9 })
  const score = here.benchmark.score({ case: c, candidate: stored })
  expect([score.verdict, score.metrics['steps'], score.metrics['completeness']]).toEqual(['stop_early', 1, 0])
})

test('where the present rules would have answered otherwise, the older judgement stays and says so', async () => {
  const { candidate } = await lead(
    here,
    c,
    [first, [but(flights, { cabinClass: 'BUSINESS' })], [flights], [details, seats], 'Done.'],
    {
      policy: 'sound',
      consult: (need) =>
        need.kind === 'consult' && need.role === 'judge:match'
          ? { kind: 'consulted', text: '{"is_equal": false}', finish: 'stop' }
          : { kind: 'unavailable', reason: 'not_configured', detail: 'nobody' },
    },
  )
  // Older rules did not read a judgement after prose, and told the model an error.
  const unread: Candidate = {
    ...older(candidate, { message: 'as it was' }),
    consultations: candidate.consultations.map((one): Candidate['consultations'][number] =>
      one.event.kind === 'consulted'
        ? { ...one, event: { ...one.event, text: 'So: {"is_equal": true}' } }
        : one,
    ),
  }
  const score = here.benchmark.score({ case: c, candidate: unread })
  expect(score.verdict).toBe('success')
  expect(score.evidence.differences.at(-1)).toMatchObject({
    where: 'version',
    says: expect.stringMatching(
      /^This dialogue was led by the rules of an older version; version 7 answers call 1 of reply 2 differently/,
    ),
  })
})
