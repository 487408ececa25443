/** Queries that a model writes: what is asked, what goes back, what is kept; without a server. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { Message } from '@stateeval/contracts'
import { fillPrompt, runEpisode, type TaskSource, type WrittenTask } from '@stateeval/program'
import { writing } from '../../creation/writing/writing.ts'
import { complexfuncbench } from '../../index.ts'
import { makeWriter, writeFlightLine } from './writer.ts'

const text = (name: string) => readFileSync(new URL(`../../prompts/${name}.md`, import.meta.url), 'utf8')
const texts = Object.fromEntries(Object.keys(writing.prompts).map((name) => [name, text(name)]))
const options = { id: 'travel', rounds: 3, together: 10, longest: 400_000 }
const flights = ['Search_Flight_Location', 'Search_Flights', 'Get_Flight_Details']
const document = (more: object = {}) => JSON.stringify({ samples: 2, seed: 1, functions: flights, ...more })

/** Leads one part to its end with a model; gives what was written, and the questions. */
function writeTask(source: TaskSource, part: number, model: (messages: readonly Message[]) => string) {
  let state = source.start(part)
  const questions: Message[][] = []
  for (;;) {
    const messages = source.ask(part, state)
    questions.push(messages)
    const turn = source.resume(part, state, model(messages))
    if ('done' in turn) return { task: turn.done[0] as WrittenTask, questions }
    state = JSON.parse(JSON.stringify(turn.state))
  }
}

describe('coarse generation', () => {
  const source = writing.open(document(), options, texts)
  test('targets are subsets of the functions, closed under where ids come from, by seed', () => {
    const all = writing.open(JSON.stringify({ samples: 30, seed: 4 }), options, texts)
    expect(all.targets).toEqual(
      writing.open(JSON.stringify({ samples: 30, seed: 4 }), options, texts).targets,
    )
    expect(new Set(all.targets.map(({ name }) => name.replace(/^\d+: /, ''))).size).toBeGreaterThan(20)
    for (const { name } of all.targets) {
      if (name.includes('Get_Seat_Map')) expect(name).toContain('Search_Flights')
      if (name.includes('Vehicle_Details')) expect(name).toContain('Search_Car_Rentals')
      if (/Search_Flights\b/.test(name)) expect(name).toContain('Search_Flight_Location')
      if (/Get_Hotel_Policies/.test(name)) expect(name).toContain('Search_Hotel_Destination')
    }
  })
  test('a query whose calls follow becomes a case that passes by every judgement of golden calls and state', async () => {
    const { task, questions } = writeTask(source, 0, makeWriter())
    if (task.status !== 'written') throw new Error(`${task.reason}: ${task.detail}`)
    const benchmark = complexfuncbench({
      scenario: () => {
        throw new Error('no scenario is needed')
      },
    })
    const c = benchmark.parse(JSON.stringify(task.case))
    expect(c.task.turns.map((calls) => calls.map(({ name }) => name))).toEqual([
      ['Search_Flight_Location', 'Search_Flight_Location'],
      ['Search_Flights'],
      ['Get_Flight_Details'],
    ])
    // The repeated call and the place that nobody needed are gone.
    expect(questions.at(-1)!.filter(({ role }) => role === 'assistant')).toHaveLength(4)
    const { candidate } = await runEpisode(
      benchmark.episode,
      c,
      { prompting: 'direct' },
      { reply: benchmark.player(c, { prompting: 'direct' })! },
    )
    const score = benchmark.score({ case: c, candidate })
    expect(Object.entries(score.policies ?? {}).map(([policy, { passed }]) => [policy, passed])).toEqual([
      ['published', true],
      ['sound', true],
      ['state', true],
    ])
  })
  test.each<[string, Parameters<typeof makeWriter>[0], RegExp]>([
    ['a query that is no JSON', { query: 'Sure! Here it is.' }, /is not a JSON object/],
    [
      'a query that names a function',
      { query: '{"query": "Call Search_Flights from Paris to Rome please."}' },
      /names the function Search_Flights/,
    ],
    [
      'a query without the year',
      { queryText: 'Find the cheapest flight from Paris to Rome on December 5 and its details.' },
      /departDate: 2024-12-05 is in neither/,
    ],
    [
      'a query that leaves the choice open',
      { queryText: 'Find a flight from Paris to Rome on December 5, 2024 and its details.', sort: null },
      /token: nothing decides among the 6 entries/,
    ],
    [
      'a call of no function',
      { calls: '{"calls": [{"name": "Fly", "arguments": {}}]}' },
      /there is no function Fly/,
    ],
    ['a step that is no JSON', { calls: 'I would search flights.' }, /not a JSON object/],
    ['an answer without calls', { calls: '{"answer": "Fly with us."}' }, /no call that was made is accepted/],
  ])('%s goes back with the reason; another one is kept', (_, first, says) => {
    const writer = makeWriter(first)
    const { task, questions } = writeTask(source, 1, writer)
    const back = questions.flat().find(({ content }) => content.startsWith('That query can'))
    expect(back?.content).toMatch(says)
    expect(task.status).toBe('written')
    expect(task.dialogue.filter(({ by }) => by === 'check')).toHaveLength(2)
  })
  describe('generalisation of given samples', () => {
    const writeLike = (original: string, model = makeWriter()) =>
      writeTask(writing.open(JSON.stringify({ samples: 2, generalise: original }), options, texts), 1, model)
    const lisbon = writeFlightLine('Lisbon', 'Oslo', 'December 9, 2024')

    test('the query is asked for with that of the sample, and its case has the same calls', () => {
      const { task, questions } = writeLike(lisbon)
      if (task.status !== 'written') throw new Error(`${task.reason}: ${task.detail}`)
      expect(questions[0]![0]!.content).toMatch(
        /You replace[^]*from Lisbon to Oslo[^]*at least 3 and at most 10/,
      )
      const { turns } = task.case.task as { turns: { name: string }[][] }
      expect(turns.flat().map(({ name }) => name)).toEqual([
        ...['Search_Flight_Location', 'Search_Flight_Location', 'Search_Flights', 'Get_Flight_Details'],
      ])
    })
    test.each<[string, string, RegExp]>([
      [
        'a query with the sample’s values',
        lisbon
          .replaceAll('Lisbon', 'Paris')
          .replaceAll('Oslo', 'Rome')
          .replace('December 9', 'December 5')
          .replace('2024-12-09', '2024-12-05'),
        /only 0 values of its arguments are new; replace at least 3/,
      ],
      [
        'a query that needs other calls',
        writeFlightLine('Lisbon', 'Oslo', 'December 9, 2024', [
          { name: 'Get_Seat_Map', arguments: { offerToken: 't' } },
        ]),
        /it needs the calls Get_Flight_Details, .*; the original needs .*Get_Seat_Map/,
      ],
    ])('%s goes back with the reason, and is rejected at the end', (_, original, says) => {
      const { task, questions } = writeLike(original)
      expect(questions.flat().find(({ content }) => content.startsWith('That query can'))?.content).toMatch(
        says,
      )
      expect(task).toMatchObject({ status: 'rejected', detail: expect.stringMatching(says) })
    })
    test('a sample whose functions the world does not have is skipped before a model is asked', () => {
      const text = JSON.stringify({ samples: 2, generalise: lisbon.replace('Get_Flight_Details', 'Fly') })
      const { targets, parts } = writing.open(text, options, texts)
      expect(targets.map(({ skipped }) => skipped)).toEqual(
        Array.from({ length: 2 }, () => 'the travel world has no function Fly'),
      )
      expect(parts).toEqual([])
    })
  })
  test('when the rounds are over it is rejected with the reason', () => {
    const { task } = writeTask(source, 0, () => 'no')
    expect(task).toMatchObject({ status: 'rejected', reason: 'malformed query', index: 0 })
    expect(task.dialogue).toHaveLength(6)
  })
  test('a person’s query or path is held against the same checks', () => {
    const { task } = writeTask(source, 0, makeWriter())
    if (task.status !== 'written') throw new Error(task.detail)
    const view = source.show(task.case)
    expect(view.code).toContain('2. Search_Flights {"fromId":"PAR.CITY"')
    expect(source.check(0, { instruction: task.case.instruction, task: view.task })).toEqual({
      case: task.case,
    })
    expect(source.check(0, { instruction: 'Fly me somewhere.', task: view.task })).toEqual({
      fault: expect.stringContaining('query'),
    })
    expect(source.check(0, { instruction: task.case.instruction, task: {} })).toEqual({
      fault: expect.stringContaining('"calls"'),
    })
    const set = source.set(
      [
        { status: 'kept', case: task.case },
        { status: 'dropped', phase: 'tasks', reason: 'no path' },
      ],
      { seed: 1, options: {}, versions: {} },
    )
    expect(set.about).toMatchObject({
      counts: { generated: 2, kept: 1, filteredShare: 0.5 },
      filtered: [{ reason: 'no path', count: 1 }],
    })
  })
  test.each([
    ['no JSON', /is not valid JSON/],
    ['{"samples": 0}', /samples/],
    ['{"samples": 1, "functions": ["Fly", "Walk"]}', /there is no function Fly/],
    ['{"samples": 1, "generalise": "{}"}', /line 1 /],
  ])('the document %s is refused', (wrong, says) => {
    expect(() => writing.open(wrong, options, texts)).toThrow(says)
  })
  test('the prompts fill all their slots', () => {
    for (const [name, { must, may }] of Object.entries(writing.prompts))
      expect(
        fillPrompt(texts[name]!, Object.fromEntries([...must, ...may].map((slot) => [slot, 'x']))),
      ).not.toMatch(/\{\{/)
  })
})
