/** Dialogues over the live world, in this process: both judgements of each, whoever leads it. */
import { describe, expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import {
  type EpisodeEvent,
  type JsonValue,
  type ReportResult,
  findSchemaFault,
  Score,
  type ScoredSample,
  type ToolResult,
} from '@stateeval/contracts'
import { runEpisode, type ReplyPlayer } from '@stateeval/program'
import { completeLimits, type OpenWorld } from '@stateeval/sandbox'
import { createWorld } from '../../backend/index.ts'
import type { ComplexCase } from '../../case.ts'
import { formatSampleLine } from '../../creation/sample.ts'
import { makeSamples } from '../../creation/samples.ts'
import { policies } from '../../live/policy.ts'
import presentation from '../../presentation/index.ts'
import { hereWith } from '../here.ts'

const samples = makeSamples({ samples: 15, seed: 'live' })
const lines = samples.map(({ sample }) => formatSampleLine(sample))
const { benchmark, cases } = hereWith({ 'made.jsonl': lines.join('\n') })
/** The case of a template, and its calls by name. */
const caseOf = (template: string) => cases[samples.findIndex((one) => one.template.id === template)]!

async function play(c: ComplexCase, policy: string, player: ReplyPlayer) {
  const world = createWorld()
  let open: OpenWorld
  const led = await runEpisode(
    benchmark.episode,
    c,
    { prompting: 'direct', policy },
    {
      reply: player,
      async session(need): Promise<EpisodeEvent> {
        if (need.kind === 'open') {
          open = await world.open(need.input.world as JsonValue, completeLimits(), '0'.repeat(32))
          return { kind: 'opened', variables: {}, tools: [...world.tools!()] }
        }
        const results: ToolResult[] = []
        for (const { id, name, arguments: text } of need.calls) {
          const { content, error } = await open.call!(name, JSON.parse(text))
          results.push({ id, content, ...(error && { error }) })
        }
        return { kind: 'called', results }
      },
      async close() {
        const { world: state, log, faults } = await open.observe()
        const ending = { status: 'no_result' as const, reason: 'none' }
        const observation = { ending, world: state, log, faults, output: '', wallMs: 0, sandbox: 'none' }
        return { observations: [observation], runtime: 'here' }
      },
    },
  )
  const { candidate, notScored } = led
  const messages = candidate.transcripts[0]?.messages ?? []
  return {
    notScored,
    score: benchmark.score({ case: c, candidate }),
    toolTexts: messages.flatMap((one) => (one.role === 'tool' ? one.content : [])),
  }
}

type Calls = readonly (readonly [name: string, args: unknown])[]
/** Says these calls round by round, then a text. */
const scripted =
  (rounds: readonly Calls[]): ReplyPlayer =>
  ({ messages }) => {
    const round = rounds[messages.filter(({ role }) => role === 'assistant').length]
    if (!round) return { text: 'Done.', finish: 'stop' }
    const toolCalls = round.map(([name, args], at) => ({
      id: `call_${at}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    }))
    return { text: '', toolCalls, finish: 'tool_calls' }
  }
const goldenRounds = (c: ComplexCase): Calls[] =>
  c.task.turns.map((calls) => calls.map(({ name, arguments: text }) => [name, text] as const))
const verdicts = ({ policies: by }: Score) =>
  Object.fromEntries(Object.entries(by ?? {}).map(([policy, { verdict }]) => [policy, verdict]))

describe('dialogues over the live world', () => {
  test.each(policies)('the reference passes by every judgement when %s leads', async (policy) => {
    for (const c of cases) {
      const { score, notScored } = await play(
        c,
        policy,
        benchmark.player(c, { prompting: 'direct', policy })!,
      )
      expect([c.id, notScored]).toEqual([c.id, undefined])
      expect([c.id, score.passed, verdicts(score)]).toEqual([
        c.id,
        true,
        { published: 'success', sound: 'success', state: 'success' },
      ])
    }
  })
  test('another way to the same state passes by state, not by golden calls', async () => {
    const c = caseOf('Hotels-1')
    const rounds = goldenRounds(c).map((round) =>
      round.map(([name, text]) => {
        const args = JSON.parse(String(text)) as Record<string, JsonValue>
        return [name, name === 'Search_Hotels' ? { ...args, sort_by: 'price' } : args] as const
      }),
    )
    const { score } = await play(c, 'state', scripted(rounds))
    expect([score.passed, score.verdict]).toEqual([true, 'success'])
    expect(verdicts(score)).toMatchObject({ state: 'success', published: 'diverged', sound: 'diverged' })
    // Led by golden calls, the same dialogue is told an error at that call; what it asked still leaves the
    // state.
    const led = await play(c, 'sound', scripted(rounds))
    expect(verdicts(led.score)).toMatchObject({ state: 'success' })
    expect(led.score.policies!['sound']!.verdict).not.toBe('success')
  })
  test('errors are told, and the dialogue goes on to pass', async () => {
    const c = caseOf('Flights-1')
    const wrong: Calls = [
      ['Search_Flight_Location', {}],
      ['Fly_Me', {}],
      ['Search_Flight_Location', 'no JSON'],
      ['Search_Flight_Location', '[1]'],
      ['Search_Flight_Location', { query: 'Nowhere' }],
    ]
    const { score, toolTexts } = await play(c, 'state', scripted([wrong, ...goldenRounds(c)]))
    expect(toolTexts.slice(0, 5)).toEqual([
      '{"status": false, "message": "query is required"}',
      '{"status":false,"message":"Function Fly_Me is not defined in the function list."}',
      '{"status":false,"message":"The arguments of Search_Flight_Location are not valid JSON."}',
      '{"status":false,"message":"The arguments of Search_Flight_Location should be a JSON object."}',
      '{"status": true, "message": "Success", "data": []}',
    ])
    expect(score).toMatchObject({
      passed: true,
      metrics: { refused_calls: 4, steps: c.task.turns.length + 1 },
    })
  })
  test('an early stop and a wrong booking are wrong states, with what is missing and what is too much', async () => {
    const c = caseOf('Attraction-2')
    const early = await play(c, 'state', scripted(goldenRounds(c).slice(0, -1)))
    expect(early.score).toMatchObject({
      passed: false,
      verdict: 'wrong_state',
      metrics: { wanted: 8, reached: 6 },
    })
    const more = goldenRounds(c).map((round) =>
      round.map(([name, text]) => {
        const args = JSON.parse(String(text)) as Record<string, JsonValue>
        return [name, 'tickets' in args ? { ...args, tickets: Number(args['tickets']) + 1 } : args] as const
      }),
    )
    const wrong = await play(c, 'state', scripted(more))
    expect(findSchemaFault(Score, wrong.score)).toBeNull()
    expect(wrong.score.evidence.differences?.map(({ says }) => says)).toEqual([
      'this booking is missing',
      'this booking is missing',
      'this was booked but not requested',
      'this was booked but not requested',
    ])
  })
  test.each(['published', 'sound'])(
    'arguments that only Python reads are judged, and reach no world: %s',
    async (policy) => {
      const c = caseOf('Flights-1')
      const rounds = [...goldenRounds(c).slice(0, 1), [['Search_Flight_Location', '{"query": NaN}'] as const]]
      const { score, notScored } = await play(c, policy, scripted(rounds))
      expect(notScored).toBeUndefined()
      expect(score.passed).toBe(false)
      expect(verdicts(score)).toMatchObject({ state: 'wrong_state' })
    },
  )
  test('endless calling ends at a limit', async () => {
    const c = caseOf('Hotels-2')
    const { score } = await play(c, 'state', scripted(Array.from({ length: 60 }, () => goldenRounds(c)[0]!)))
    expect(score).toMatchObject({ passed: false, verdict: 'limit' })
  })
  test('a case without a live world is not scored under state', async () => {
    const { benchmark: other, cases: others } = hereWith({
      'plain.jsonl': lines.map((line) => JSON.stringify({ ...JSON.parse(line), live: undefined })).join('\n'),
    })
    const turn = other.episode.start(others[0]!, { prompting: 'direct', policy: 'state' })
    expect(turn).toMatchObject({
      notScored: {
        reason: 'not_configured',
        detail: `${others[0]!.id} has no live world. Choose another policy, or a set that the command build created.`,
      },
    })
  })
  test.each([
    [{ world: {} }, 'live.world'],
    [
      { world: { seed: 'a' }, left: { heard: [{ function: 'a', says: 'x' }], bookings: [] } },
      'live.left.heard.0.says',
    ],
    ['text', 'a member `live` that is not an object'],
  ])('a line with a wrong live part %j is refused: %s', (live, says) => {
    const line = JSON.stringify({ ...JSON.parse(lines[0]!), live })
    expect(() => hereWith({ 'a.jsonl': line })).toThrow(says)
  })
  test('one report shows both judgements side by side', async () => {
    const samples: ScoredSample[] = []
    for (const c of cases.slice(0, 4)) {
      const rounds = goldenRounds(c)
      const { score } = await play(c, 'state', scripted(c.id === 'Hotels-2' ? rounds.slice(0, -1) : rounds))
      samples.push({ case: c.id, sample: 0, score })
    }
    const about = partial<ReportResult>({ digest: 'd', model: 'm', options: { policy: 'state' } })
    const result = benchmark.aggregate(samples, cases.slice(0, 4), about)
    expect(result.overall).toMatchObject({ passed: 3, scored: 4 })
    const { table } = presentation.sections!(result)[0] as { table: { head: string[]; rows: unknown[][] } }
    expect(table.head).toEqual(['', 'published', 'sound', 'state'])
    const row = (name: string) => table.rows.find(([first]) => first === name)
    expect(row('Success rate of judged samples')?.at(-1)).toBe('75.0 %')
    expect(row('Goal accuracy')?.slice(1)).toEqual(['–', '–', expect.stringMatching(/^\d\d\.\d %$/)])
  })
})
