/** The published format: what is refused, by line and with the reason, and what is kept. */
import { expect, test } from '@jest/globals'
import { importConversations } from '../dataset/from-dataset.ts'
import { type ComplexCase, formatComplexCase, parse } from '../case.ts'
import { conversations } from '../sample/index.ts'
import { policies } from '../dialogue/converse.ts'
import { hereWith } from './here.ts'
import { lead, type Saying } from './lead.ts'

const [line] = conversations.split('\n') as [string]
const changed = (from: string, to: string) => {
  expect(line).toContain(from)
  return line.replace(from, to)
}
const second = (text: string) => ({ 'some.jsonl': `${line.replace('Hotels-0', 'Hotels-9')}\n\n${text}\n` })

test.each([
  ['{', 'is not valid JSON: a name in double quotes is missing at character 1'],
  ['[]', 'is not a JSON object'],
  [changed('"Hotels-0"', '"Hotels"'), 'has the id "Hotels"; it should be <Domain>-<number>'],
  [changed('"role":"user"', '"role":"person"'), 'conversations[0] should have the role user'],
  [changed('"content":"Two of us', '"contents":"Two of us'), 'conversations[0].content should be a text'],
  [
    changed('"function_call":[{', '"calls":[{'),
    'conversations[1] should be an assistant’s message with a list function_call',
  ],
  [
    changed('"role":"observation"', '"role":"tool"'),
    'conversations[2] should be an observation with a list of responses',
  ],
  [
    changed('"content":[{"status":true', '"content":[1,{"status":true'),
    'conversations[2] has 2 responses to the 1 calls of conversations[1]',
  ],
  [
    changed('"arguments":{"query":"Porto"}', '"arguments":"Porto"'),
    'conversations[1].function_call[0].arguments is not an object',
  ],
  [changed('"functions":[', '"tools":['), 'has no list `functions`'],
  [
    changed('"functions":[{', '"functions":[{"name":"F","parameters":{"maximum":1e999}},{'),
    'functions[0].parameters contains NaN or Infinity, which is not JSON',
  ],
])('a broken line is refused: %#', (text, says) => {
  expect(() => importConversations(second(text))).toThrow(`some.jsonl line 3: ${says}`)
})

test.each([
  [
    changed('"arguments":{"query":"Porto"}', '"arguments":{"query":5}'),
    "Parameter query of function Search_Hotel_Destination should be a string, but <class 'int'> is provided.",
  ],
  [
    changed('"name":"Search_Hotel_Destination","arguments"', '"name":"Search_Town","arguments"'),
    'Function Search_Town is not defined in the function list.',
  ],
])(
  'a golden call that its schema refuses is kept, marked and counted, and run as upstream: %#',
  async (text, says) => {
    const { warnings, about, readme } = importConversations(second(text))
    expect(warnings).toEqual([
      `some.jsonl line 3: conversations[1].function_call[0] is broken, and kept and marked: ${says}`,
    ])
    expect(about).toMatchObject({ options: { marked: 1 }, counts: { kept: 2 } })
    expect(readme).toContain('1 of them have a golden call')
    const here = hereWith(second(text))
    const [whole, c] = here.cases as [ComplexCase, ComplexCase]
    expect([whole.task.marks, c.task.marks]).toEqual([undefined, [{ call: 0, says }]])
    // No reference is checked where it cannot pass, and nothing else is blocked by it.
    const playerUnder = (policy: string, of: ComplexCase) =>
      here.benchmark.player(of, { prompting: 'direct', policy })
    expect([
      playerUnder('published', c),
      playerUnder('sound', c) === null,
      playerUnder('published', whole) === null,
    ]).toEqual([null, !says.startsWith('Parameter'), false])
    const script: Saying[] = c.task.turns.map((calls) => calls.map((one) => [one.name, one.arguments]))
    const published = await lead(here, c, [...script, 'It is done.'], { policy: 'published', layout: 'qwen' })
    expect(published.score.passed).toBe(false)
    const sound = await lead(here, c, [...script, 'It is done.'], { policy: 'sound' })
    expect(sound.score.verdict).toBe(says.startsWith('Parameter') ? 'success' : 'func_error')
    const { measures } = here.benchmark.aggregate(
      [{ case: c.id, sample: 0, score: published.score }],
      here.cases,
      { digest: 'd', model: 'm', options: {} },
    )
    expect(measures?.[0]?.values).toMatchObject({ 'Samples with a marked golden call': 1 })
    expect(published.score.evidence.differences.at(-1)).toEqual({
      where: 'set',
      says: `golden call 1 is marked, because the released check refuses it: ${says}`,
    })
  },
)

test('a golden call that only the strict check refuses is right as it is written, and told of', async () => {
  const text = changed('"adults":2', '"adults":true')
  const { warnings } = importConversations({ 'a.jsonl': text })
  expect(warnings).toEqual([
    expect.stringMatching(/^a\.jsonl line 1: a golden call of step 2 does not fit its schema: /),
  ])
  const here = hereWith({ 'a.jsonl': text })
  const c = here.cases[0]!
  const script: Saying[] = c.task.turns.map((calls) => calls.map((one) => [one.name, one.arguments]))
  for (const policy of policies) {
    const { end } = await lead(here, c, [...script, 'It is done.'], { policy })
    expect(end?.verdict).toBe('success')
  }
})

test('a golden path that no dialogue has room for is refused', () => {
  const sample = JSON.parse(line) as { conversations: unknown[] }
  const [query, calls, responses, ...others] = sample.conversations
  const long = (steps: number) =>
    JSON.stringify({
      ...sample,
      conversations: [
        query,
        ...Array.from({ length: steps }, () => [calls, responses]).flat(),
        others.at(-1),
      ],
    })
  expect(importConversations({ 'a.jsonl': long(39) }).lines).toHaveLength(1)
  expect(() => importConversations({ 'a.jsonl': long(40) })).toThrow(
    'a.jsonl line 1: has 40 golden steps; with the final text, a dialogue has at most 40 replies',
  )
})

test('an id that occurs twice, and no samples at all', () => {
  expect(() => importConversations({ 'a.jsonl': `${line}\n`, 'b.jsonl': line })).toThrow(
    'the id Hotels-0 occurs twice',
  )
  expect(() => importConversations({ 'a.jsonl': '\n' })).toThrow(
    'the folder contains no samples of complexfuncbench',
  )
})

test('arguments keep their order and numbers, and the response its text', () => {
  const text = changed('"adults":2', '"adults":2.0')
  const { cases } = hereWith({ 'a.jsonl': text })
  expect(cases[0]!.task.turns[1]![0]!.arguments).toBe(
    '{"dest_id": "-2173088", "search_type": "city", "arrival_date": "2024-12-03", "departure_date": "2024-12-06", "adults": 2.0}',
  )
  expect(parse(formatComplexCase(cases[0]!))).toEqual(cases[0])
  expect(() => parse('{"id":"a","kind":"complexfuncbench","group":"g","instruction":"","task":{}}')).toThrow(
    '/task',
  )
})

test('the same files are the same set, in whatever order they are given', () => {
  const files = { 'a.jsonl': line, 'b.jsonl': line.replace('Hotels-0', 'Hotels-1') }
  const other = Object.fromEntries(Object.entries(files).reverse())
  expect(importConversations(other).lines).toEqual(importConversations(files).lines)
})
