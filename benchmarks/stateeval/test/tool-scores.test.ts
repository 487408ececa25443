/** Laws of the graded scores of tool calling, and what a reply counts that calls and submits at once. */
import { expect, test } from '@jest/globals'
import type { Candidate, Case, Observation, Transcript, WorldState } from '@stateeval/contracts'
import fc from 'fast-check'
import { makeToolEpisode } from '../tools/episode.ts'
import { scoreTools } from '../tools/score.ts'
import { resultTool } from '../tools/result-tool.ts'
import { cases, host, scenario } from './cases.ts'

const some = cases(6)
const candidateOf = (
  observations: readonly Observation[],
  { transcripts, decisions = [] }: { transcripts?: Transcript[]; decisions?: object[] } = {},
): Candidate =>
  ({
    said: {
      kind: 'dialogue',
      policy: null,
      inputs: observations.map((_, at) => ({ transcript: at, run: at })),
      decisions,
    },
    transcripts: transcripts ?? observations.map((_, input) => ({ role: 'model', input, messages: [] })),
    runs: observations.map((observation) => ({ runtime: 'none', observations: [observation] })),
    consultations: [],
  }) as unknown as Candidate
const observed = (result: unknown, world: WorldState): Observation => ({
  ending: { status: 'completed', result },
  world,
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'none',
})
const reference = ({ oracles }: Case) => oracles.map(({ result, world }) => observed(result, world))
const shares = ['state_changes', 'result_keys', 'milestones'] as const

test('the reference has all of each score and no unexpected change', () => {
  for (const c of some) {
    const { passed, metrics } = scoreTools(host, c, candidateOf(reference(c)))
    expect(passed).toBe(true)
    for (const name of shares) expect([null, 1]).toContain(metrics[name])
    expect(metrics['unexpected_changes']).toBe(0)
  }
})

test('whatever a run leaves, each share is within 0 and 1, and never more than the reference has', () => {
  const places = fc.array(fc.tuple(fc.nat(some.length - 1), fc.nat(some.length - 1)), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.constantFrom(...some), places, fc.boolean(), (c, others, keepsResult) => {
      const runs = c.oracles.map(({ result, input }, at) => {
        const [ofResult, ofWorld] = others[at % others.length]!
        const untouched = scenario.observe(scenario.open(input.world as never))
        const world = ofWorld % 2 ? untouched : some[ofWorld]!.oracles[0]!.world
        return observed(keepsResult ? result : some[ofResult]!.oracles[0]!.result, world)
      })
      const { passed, metrics } = scoreTools(host, c, candidateOf(runs))
      for (const name of shares) {
        const value = metrics[name] ?? null
        if (value === null) continue
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        if (passed) expect(value).toBe(1)
      }
      expect(metrics['unexpected_changes']).toBeGreaterThanOrEqual(0)
      if (keepsResult) expect(metrics['result_keys'] ?? 1).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 60 },
  )
})

test('a world that comes nearer to the oracle never has a lower share of the changes', () => {
  for (const c of some) {
    const untouched = c.oracles.map(({ input }) => scenario.observe(scenario.open(input.world as never)))
    const ladder = Array.from({ length: c.oracles.length + 1 }, (_, right) =>
      c.oracles.map(({ world }, at) => observed({}, at < right ? world : untouched[at]!)),
    )
    const values = ladder.map((runs) => scoreTools(host, c, candidateOf(runs)).metrics['state_changes'] ?? 0)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  }
})

test('a wrong call in the reply that submits RESULT is counted', () => {
  const [c] = some as [Case]
  const episode = makeToolEpisode(host)
  const options = { prompting: 'direct' } as Parameters<typeof episode.start>[1]
  const submitted = { id: 'b', name: resultTool, arguments: JSON.stringify(c.oracles[0]!.result) }
  const toolCalls = [{ id: 'a', name: 'noSuchFunction', arguments: '{}' }, submitted]
  const transcript = {
    role: 'model',
    input: 0,
    messages: [{ role: 'assistant', content: '', toolCalls }],
  } as unknown as Transcript
  const stateOf = (turn: ReturnType<typeof episode.start>) => ('state' in turn ? turn.state : null)
  let turn = episode.start(c, options)
  turn = episode.resume(c, options, stateOf(turn), { kind: 'opened', variables: {}, tools: [] }, [])
  turn = episode.resume(
    c,
    options,
    stateOf(turn),
    { kind: 'replied', text: '', toolCalls, finish: 'tool_calls' },
    [transcript],
  )
  turn = episode.resume(
    c,
    options,
    stateOf(turn),
    { kind: 'called', results: [{ content: 'there is no such function', error: true }] } as Parameters<
      typeof episode.resume
    >[3],
    [transcript],
  )
  expect(turn).toMatchObject({ need: { kind: 'close' }, state: { decisions: [{ wrong: 1 }] } })
  const decisions = (stateOf(turn) as { decisions: object[] }).decisions
  const { metrics } = scoreTools(
    host,
    c,
    candidateOf(reference(c).slice(0, 1), { transcripts: [transcript], decisions }),
  )
  expect(metrics).toMatchObject({ pass: 1, wrong_calls: 1, calls: 1 })
})
