/**
 * Texts that nobody should write, as arguments, names and final texts of a model, and as responses of the
 * live API and of judges: in every layout, under both policies, each dialogue ends, has a score that keeps
 * its form, and leaves nothing behind for the next one.
 */
import { describe, expect, test } from '@jest/globals'
import {
  Candidate,
  type Consultation,
  type EpisodeEvent,
  type SpeakerReply,
  findSchemaFault,
  ScoredSample,
} from '@stateeval/contracts'
import { type Episode, runEpisode } from '@stateeval/program'
import fc from 'fast-check'
import type { ComplexCase } from '../case.ts'
import { policies } from '../dialogue/converse.ts'
import { layouts, getRunner } from '../runner/index.ts'
import { hereWith, sampleFiles } from './here.ts'

const isLong = process.env['STATEEVAL_LONG'] === '1'
const here = hereWith({ 'conversations.jsonl': sampleFiles['conversations.jsonl'] })
const [c, next] = here.cases as [ComplexCase, ComplexCase]
const { name: firstName } = c.task.turns[0]![0]!
const json = JSON.stringify
const size = isLong ? 500_000 : 30_000
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** As arguments of a call, and as what APIs and judges say. */
const texts: Record<string, string> = {
  nothing: '',
  'a zero': '\0',
  'half a surrogate pair': '\ud800',
  'half a pair in JSON': '{"query": "\\ud800"}',
  'half a pair as it is': '{"query": "\udc00"}',
  'a prototype': '{"__proto__": {"polluted": 1}, "query": "Porto"}',
  'a prototype within': '{"query": {"__proto__": {"polluted": 1}}}',
  'names of every object':
    '{"constructor": {"prototype": {"polluted": 1}}, "toString": 1, "hasOwnProperty": 2}',
  'deep lists': `{"query": ${nested(150)}}`,
  'lists that are too deep': nested(100_000),
  'objects without end': '{"a":'.repeat(20_000),
  'a long integer': `{"query": ${'9'.repeat(4000)}}`,
  'an integer that is too long': `{"query": ${'9'.repeat(size)}}`,
  'a long fraction': `{"query": 0.${'1'.repeat(size)}}`,
  'a number beyond all': '{"query": 1e999999999}',
  'no number': '{"query": NaN}',
  'a long text': json({ query: 'x'.repeat(size) }),
  'a long text of control characters': json({ query: '\u0001'.repeat(size / 6) }),
  'a long name': json({ ['n'.repeat(size)]: 1 }),
  'a long name of control characters': json({ ['\u0001'.repeat(size / 6)]: 1 }),
  'many names': json(Object.fromEntries(Array.from({ length: size / 50 }, (_, n) => [`k${n}`, 1]))),
  'right to left': json({ query: '\u202eotroP\u202c' }),
  HTML: json({ query: '<script>alert(1)</script>', '<b>': 1 }),
  Markdown: json({ query: '| a |\n|---|\n```js\n[x](javascript:alert(1))' }),
  'escape sequences': json({ query: '\u001b[2J\u001b]0;x\u0007' }),
  'a byte order mark': '\ufeff{"query": "Porto"}',
  'line separators': json({ query: '\u2028\u2029\u0085' }),
  'equal names': '{"query": "a", "query": "Porto"}',
  'a list': '[1, 2]',
  'a text': '"x"',
}
const names = [
  ...['', '__proto__', 'constructor', 'toString', '\ud800', '\u001b[31m', '<b>', '| a |', '\u202e'],
  ...[`${firstName}\0`, 'x'.repeat(size)],
]

interface Way {
  policy: string
  layout: string
}
/** Every layout, and in a long run under every policy; in a default run under one of them in turn. */
const everyWay = policies.flatMap((policy, row) =>
  layouts
    .filter((_, column) => isLong || (row + column) % policies.length === 0)
    .map((layout): Way => ({ policy, layout })),
)

/** A reply that makes this call, in whatever form the layout has. */
function calling({ layout }: Way, name: string, text: string): SpeakerReply {
  if (!getRunner({ layout }).usesTools) return getRunner({ layout }).write([{ name, arguments: text }])[0]!
  return { text: '', toolCalls: [{ id: 'c', name, arguments: text }], finish: 'tool_calls' }
}
const saying = (text: string): SpeakerReply => ({ text, finish: 'stop' })

/** What every host holds of an episode. */
const maxState = 65_536
const watched = (episode: Episode<ComplexCase>): Episode<ComplexCase> => ({
  ...episode,
  resume(...args) {
    const turn = episode.resume(...args)
    if ('state' in turn) expect(Buffer.byteLength(json(turn.state))).toBeLessThanOrEqual(maxState)
    return turn
  },
})

async function scored(
  way: Way,
  replies: readonly SpeakerReply[],
  { of = c, consult }: { of?: ComplexCase; consult?: (need: Consultation['need']) => EpisodeEvent } = {},
) {
  const { candidate, notScored } = await runEpisode(
    watched(here.benchmark.episode),
    of,
    { prompting: 'direct', ...way },
    {
      reply: ({ messages }) => replies[messages.filter(({ role }) => role === 'assistant').length] ?? null,
      ...(consult && { consult }),
    },
  )
  expect(findSchemaFault(Candidate, candidate)).toBeNull()
  for (const { role, content } of candidate.transcripts[0]!.messages.slice(2))
    if (role !== 'assistant') expect(content.length).toBeLessThan(100_000)
  const score = here.benchmark.score({ case: of, candidate })
  expect(findSchemaFault(ScoredSample, { case: of.id, sample: 0, score })).toBeNull()
  expect(json(score).length).toBeLessThan(300_000)
  return { score, ...(notScored && { notScored }) }
}

const ownReplies = (way: Way, of: ComplexCase): SpeakerReply[] => {
  const player = here.benchmark.player(of, { prompting: 'direct', ...way })!
  const replies: SpeakerReply[] = []
  for (;;) {
    const messages = replies.map(({ text, toolCalls = [], finish }) => ({
      role: 'assistant' as const,
      content: text,
      toolCalls: [...toolCalls],
      finish,
    }))
    const reply = player({ role: 'model', messages })
    if (!reply) return replies
    replies.push(reply)
  }
}

describe.each(everyWay)('$policy, $layout', (way) => {
  test('no argument, name or final text makes a dialogue fail; the next one is judged as ever', async () => {
    const right = ownReplies(way, next)
    const before = json(await scored(way, right, { of: next }))
    for (const text of Object.values(texts)) {
      const replies = [calling(way, firstName, text), calling(way, 'Search_Hotels', text), saying(text)]
      const { score } = await scored(way, replies)
      expect(score.passed).toBe(false)
      await scored(way, [saying(text || ' ')])
    }
    for (const name of names)
      await scored(way, [calling(way, name, '{"query": "Porto"}'), saying(name || ' ')])
    expect(json(await scored(way, right, { of: next }))).toBe(before)
    expect([Object.keys(Object.prototype), ({} as { polluted?: unknown }).polluted]).toEqual([[], undefined])
  })

  test('nor does anything that an API or a judge says', async () => {
    const replies = [calling(way, firstName, '{"query": "porto"}'), saying('Done.')]
    for (const text of [
      ...Object.values(texts),
      ...Object.values(texts).map((one) => `{"status": 1, "data": ${one}}`),
    ])
      await scored(way, replies, {
        consult: ({ kind }) =>
          kind === 'http'
            ? { kind: 'responded', status: 200, body: text }
            : kind === 'consult'
              ? { kind: 'consulted', text, finish: 'stop' }
              : { kind: 'unavailable', reason: 'not_configured', detail: 'nobody' },
      })
  })
})

test('as many calls as a reply may have, and marks without number, end at a limit', async () => {
  const toolCalls = Array.from({ length: 1000 }, (_, n) => ({
    id: `c${n}`,
    name: firstName,
    arguments: '{}',
  }))
  const marks = ['<tool_call>', '<tool_call>{}</tool_call>', '{"name":"a"}\n', 'a\n{', '\u2028']
  for (const way of everyWay) {
    const replies = getRunner(way).usesTools
      ? [{ text: '', toolCalls, finish: 'tool_calls' }]
      : marks.map((mark) => saying(mark.repeat(size / mark.length)))
    for (const reply of replies) {
      const { score } = await scored(way, [reply, saying('x')])
      expect(score.passed).toBe(false)
      if ('toolCalls' in reply) expect(score.verdict).toBe('limit')
    }
  }
})

test('any text is read, in every layout', async () => {
  const tokens = [
    ...[
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '\n',
      ' ',
      '\0',
      '\ud800',
      '\u202e',
      '💥',
      '1',
      '-',
      '.',
      'e9',
    ],
    ...['null', 'true', 'NaN', '-Infinity', '"query"', '"name"', '"arguments"', '"parameters"', firstName],
    ...[
      '<tool_call>',
      '</tool_call>',
      '__proto__',
      '"__proto__"',
      'constructor',
      '{"name": "',
      '{"query": "Porto"}',
    ],
  ]
  const text = fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...everyWay), fc.boolean(), async (answer, way, isCall) => {
      await scored(way, [isCall ? calling(way, firstName, answer) : saying(answer), saying('x')])
    }),
    { numRuns: isLong ? 4_000 : 100, seed: 5 },
  )
})
