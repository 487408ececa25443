/** Judges of final texts, mappings by embeddings, and what is counted of a dialogue. */
import { expect, test } from '@jest/globals'
import type { Consultation, EpisodeEvent, Message } from '@stateeval/contracts'
import fc from 'fast-check'
import { decodeAnswer, findAnswer, readScore } from '../judge/decode.ts'
import { policies } from '../dialogue/converse.ts'
import { limits } from '../dialogue/session.ts'
import { lead, type Saying } from './lead.ts'
import {
  but,
  caseOf,
  details,
  flights,
  hotelPath,
  hotels,
  lis,
  osl,
  policies as rules,
  seats,
  trip,
} from './paths.ts'

const here = caseOf(trip)
const c = here.cases[0]!
const right: Saying[] = [[lis, osl], [flights], [details, seats], 'It is done.']
const absent: EpisodeEvent = { kind: 'unavailable', reason: 'not_configured', detail: 'nobody was named' }
const says = (text: string): EpisodeEvent => ({ kind: 'consulted', text, finish: 'stop' })
const roleOf = ({ need }: Consultation) => (need.kind === 'consult' ? need.role : need.kind)

test.each([
  ['{"score": 2, "reason": "all"}', 2],
  ['```JSON\n{"score": 1}\n```', 1],
  ['```json\n{"score": 0.0}\n```', 0],
  ['{"score": True}', 1],
  ['{"score": false}', 0],
  ['{"score": "2"}', null],
  ['{"score": 3}', null],
  ['{"reason": "none"}', null],
])('%j has the score %j', (text, score) => {
  expect(readScore(decodeAnswer(text)!)).toBe(score)
})
test.each(['The score is {"score": 2}', '[2]', '2', '', '{"score": 2'])('%j is no answer', (text) => {
  expect(decodeAnswer(text)).toBeNull()
})

test.each(policies)('final texts are judged, whatever came before, under %s', async (policy) => {
  const consult = (need: Consultation['need']): EpisodeEvent => {
    if (need.kind !== 'consult' || need.role === 'judge:match') return absent
    // The first answer cannot be read, so the question is asked again.
    if (need.attempt === 0) return says('I think so.')
    return says(`{"score": ${need.role === 'judge:completeness' ? 2 : 1}, "reason": "so it is"}`)
  }
  const { end, candidate, score } = await lead(here, c, right, { policy, consult })
  expect(end).toMatchObject({
    completeness: { score: 2, because: 'so it is' },
    correctness: { score: 1, because: 'so it is' },
  })
  expect(score.metrics).toMatchObject({ completeness: 2, correctness: 1 })
  // The mapping of [details, seats] is exact, so nobody else is asked.
  expect(candidate.consultations.map(roleOf)).toEqual([
    'judge:completeness',
    'judge:completeness',
    'judge:correctness',
    'judge:correctness',
  ])
  const need = candidate.consultations.at(-1)!.need
  const text = need.kind === 'consult' ? need.messages[0]!.content : ''
  // The golden dialogue has the golden role; the run's own has tool messages.
  expect([text.includes('"observation"'), text.includes('"toolCallId"')]).toEqual(
    policy === 'published' ? [true, false] : [false, true],
  )
  expect((await lead(here, c, ['Nothing.'], { policy, consult })).end).toMatchObject({
    verdict: 'stop_early',
    completeness: { score: 2 },
  })
})

test('ten answers that cannot be read are -1, and no judge is null', async () => {
  let count = 0
  const unreadable = await lead(here, c, right, { consult: () => (count++, says('?')) })
  expect([count, unreadable.end?.completeness?.score, unreadable.end?.correctness?.score]).toEqual([
    22, -1, -1,
  ])
  // No score is no measure: a comparison of evaluations would average it.
  expect(unreadable.score.metrics).toMatchObject({ completeness: null, correctness: null })
  const alone = await lead(here, c, right)
  expect(alone.end?.completeness).toEqual({ score: null, because: 'no player was named for it' })
  expect(alone.score.metrics['completeness']).toBeNull()
  const { benchmark } = here
  const about = { digest: 'd', model: 'm', options: {} }
  const result = benchmark.aggregate(
    [unreadable, alone].map(({ score }, sample) => ({ case: c.id, sample, score })),
    here.cases,
    about,
  )
  expect(result.measures?.[0]?.values).toMatchObject({ Samples: 2, Completeness: null, 'Judged texts': 0 })
})

const unavailable = (reason: 'failed' | 'refused'): EpisodeEvent => ({
  kind: 'unavailable',
  reason,
  detail: 'too long',
})
test.each([
  ['answers it in no form', says('?')],
  ['refuses it', unavailable('refused')],
  ['fails over it', unavailable('failed')],
])('a judge that %s, and scores a known text: the text has the lowest score', async (_, event) => {
  const consult = (need: Consultation['need']): EpisodeEvent => {
    if (need.kind !== 'consult' || need.role === 'judge:match') return absent
    return need.messages[0]!.content.includes('I cannot help with that.')
      ? says('{"score": 0, "reason": "nothing"}')
      : event
  }
  const { end, score, notScored } = await lead(here, c, right, { consult })
  expect([notScored, score.passed]).toEqual([undefined, true])
  expect(end).toMatchObject({ completeness: { score: -1, isOwn: true }, correctness: { isOwn: true } })
  expect(score.metrics).toMatchObject({ completeness: 0, correctness: 0 })
})

test('a judge that takes no question leaves the sample without a score; one that takes a known one, without a match', async () => {
  const script: Saying[] = [[but(lis, { query: 'Lisboa' })], 'Done.']
  for (const reason of ['failed', 'refused'] as const) {
    const silent = { kind: 'unavailable', reason, detail: 'overloaded' } as const
    const unable = await lead(here, c, script, {
      consult: ({ kind }) => (kind === 'consult' ? silent : absent),
    })
    expect(unable.notScored).toEqual({ reason, detail: 'overloaded' })
    const unwilling = await lead(here, c, script, {
      consult: (need) => {
        if (need.kind !== 'consult') return absent
        const isKnown = !JSON.stringify(need.messages).includes('Lisboa')
        return isKnown ? says('{"reason": "the same", "is_equal": true}') : silent
      },
    })
    expect([unwilling.notScored, unwilling.end?.verdict]).toEqual([undefined, 'value_error'])
  }
})

test('under sound, an unreadable judgement is asked again, and three are no judgement', async () => {
  const script: Saying[] = [[but(lis, { query: 'Lisboa' }), osl], [flights], [details, seats], 'Done.']
  const judging = (answers: readonly string[], policy: string) => {
    let at = 0
    return lead(here, c, script, {
      policy,
      consult: (need) =>
        need.kind === 'consult' && need.role === 'judge:match' ? says(answers[at++] ?? '?') : absent,
    })
  }
  const askedIn = ({ candidate }: Awaited<ReturnType<typeof judging>>) =>
    candidate.consultations.filter((one) => roleOf(one) === 'judge:match').length
  const second = await judging(
    ['They are the same.', 'So: {"is_equal": true, "reason": "one city"}'],
    'sound',
  )
  expect([second.end?.verdict, second.end?.correct, askedIn(second)]).toEqual(['success', 5, 2])
  const never = await judging([], 'sound')
  expect([never.end?.verdict, never.end?.correct, askedIn(never)]).toEqual(['success', 4, 3])
  expect(never.score.metrics).toMatchObject({ judge_unread: 1, judge_skipped: 0 })
  expect(never.score.evidence.differences[0]?.says).toContain(
    'judge: not judged: no judgement could be read from any of its 3 answers',
  )
  // The released code asks once and takes it for no match.
  const once = await judging(['?', '{"is_equal": true}'], 'published')
  expect([once.end?.correct, askedIn(once)]).toEqual([4, 1])
  expect(once.score.metrics).toMatchObject({ judge_unread: 1 })
  const { measures = [] } = here.benchmark.aggregate(
    [never, once].map(({ score }, sample) => ({ case: c.id, sample, score })),
    here.cases,
    { digest: 'd', model: 'm', options: {} },
  )
  expect(measures.find(({ policy }) => policy === 'sound')?.values).toMatchObject({ 'Calls not judged': 1 })
})

test.each(['failed', 'refused'] as const)(
  'a judge of texts that is away (%s) takes nothing but its scores from a sample',
  async (reason) => {
    const { notScored, score, end } = await lead(here, c, right, {
      consult: (need) => (need.kind === 'consult' ? unavailable(reason) : absent),
    })
    expect([notScored, score.verdict, score.metrics['completeness']]).toEqual([undefined, 'success', null])
    expect(end?.completeness).toEqual({ score: null, because: 'too long', isAway: true })
    expect(score.metrics['texts_not_judged']).toBe(2)
  },
)

test('judgements are found after prose and thoughts, the last one counts, in time linear in the text', () => {
  expect(findAnswer('Well. {"score": 1} No: ```json\n{"score": 2}\n```', 'score')?.get('score')).toBe(2n)
  expect(findAnswer('<think>{"score": 0}</think>', 'score')).toBeNull()
  expect(findAnswer('{"reason": "none"}', 'score')).toBeNull()
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom(0, 1, 2), (before, after, score) => {
      fc.pre(!/[{}<[\]"`|]/.test(before + after))
      const text = `${before}{"score": ${score}, "reason": "{x}"}${after}`
      expect(findAnswer(text, 'score')?.get('score')).toBe(BigInt(score))
    }),
  )
  for (const part of ['{', '{"a":', '{"', '[{"a":[1,', '{"a":"{'])
    expect(findAnswer(part.repeat(20_000), 'score')).toBeNull()
})

test.each(policies)(
  'calls are mapped by embeddings, and the lexical mapping is compared, under %s',
  async (policy) => {
    const path = hotelPath([rules('100')], [rules('200'), hotels], [rules('300')])
    const other = caseOf(path)
    const wrong: Saying = [rules('201'), but(hotels, { dest_id: '9' })]
    const script: Saying[] = [[rules('100')], wrong, 'Done.']
    const crossed = await lead(other, other.cases[0]!, script, {
      policy,
      consult: (need) =>
        need.kind === 'similar'
          ? {
              kind: 'similar',
              matrix: need.left.map((_, row) => need.right.map((_, column) => (row === column ? 0 : 1))),
            }
          : absent,
    })
    const mapped = ({ rounds }: typeof crossed) => rounds[1]?.calls.map(({ golden }) => golden)
    expect([mapped(crossed), crossed.rounds[1]?.mapping]).toEqual([
      [2, 1],
      { by: 'embeddings', differs: true },
    ])
    expect(crossed.score.metrics).toMatchObject({ mappings: 1, mappings_differ: 1 })
    const lexical = await lead(other, other.cases[0]!, script, { policy })
    expect([mapped(lexical), lexical.rounds[1]?.mapping]).toEqual([[1, 2], { by: 'lexical', differs: false }])
  },
)

test('errors that were told are corrected, or not', async () => {
  const script: Saying[] = [
    [lis, but(osl, { page: 1 })],
    [osl, flights],
    [but(details, { page: 1 }), seats],
    'Done.',
  ]
  const { score } = await lead(here, c, script)
  expect(score.metrics).toMatchObject({ errors_told: 2, errors_corrected: 1, steps: 3, shortest_steps: 3 })
})

test('parameters are counted by type', async () => {
  const script: Saying[] = [[lis, osl], [but(flights, { departDate: '2024-11-15', adults: 2 })], 'Done.']
  const { score } = await lead(here, c, script)
  expect(score.policies!['published']!.metrics).toMatchObject({
    'compared/location': 2,
    'compared/id': 2,
    'compared/date': 1,
    'wrong/date': 1,
    'compared/people': 1,
    'wrong/people': 1,
    'compared/sort_by': 1,
  })
})

test('a state stays within its bounds however much everybody says', () => {
  // The longest in bytes: control characters are six each in JSON.
  const letter = '\u0001'
  const { benchmark } = here
  // A quarter of what an evaluation may allow, as facts grow with turns and calls.
  const { turns = 0, calls = 0 } = limits.most!
  const quarter = { turns: turns / 4, calls: calls / 4 }
  const options = { prompting: 'direct', policy: 'sound', limits: quarter } as const
  let turn = benchmark.episode.start(c, options)
  let largest = 0
  let answers = 0
  let replies = 0
  let wasRefused = false
  const messages: Message[] = []
  while (!('done' in turn)) {
    const { state, need } = turn
    largest = Math.max(largest, Buffer.byteLength(JSON.stringify(state)))
    let event: EpisodeEvent
    if (need.kind === 'reply') {
      messages.push(...need.append)
      const toolCalls = ['a', 'b'].map((id) => ({
        id,
        name: 'Search_Flight_Location',
        arguments: JSON.stringify({ query: `${id}${letter}` }),
      }))
      messages.push({ role: 'assistant', content: '', toolCalls })
      replies++
      const usage = { requests: 1, promptTokens: 10, completionTokens: 1999 }
      event = { kind: 'replied', text: '', toolCalls, finish: 'tool_calls', usage, ms: 35_999 }
    } else if (need.kind === 'consult') {
      wasRefused = !wasRefused && answers % 3 === 0
      event = wasRefused
        ? { kind: 'unavailable', reason: 'refused', detail: letter.repeat(700) }
        : says(JSON.stringify({ is_equal: false, reason: letter.repeat(5000) }))
    } else if (need.kind === 'http')
      event =
        need.attempt === 2
          ? { kind: 'responded', status: 200, body: `{"status": true, "data": ${answers++}}` }
          : { kind: 'responded', status: 500, body: '' }
    else event = absent
    turn = benchmark.episode.resume(c, options, state, event, [{ role: 'model', messages }])
  }
  expect([replies, largest > 10_000, 4 * largest < 64_000]).toEqual([quarter.turns, true, true])
})
