/**
 * A law for rewards: whatever a policy does, its episode ends with a number. A reward is null only for what
 * the service itself failed at, with the reason.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { attacks, worldAttacks } from '@stateeval/attacks'
import {
  type AgentReply,
  type BenchmarkResource,
  type EpisodeRequest,
  type EpisodeResource,
  type EpisodeTurn,
} from '@stateeval/contracts'
import {
  isLong,
  pickForRun,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import fc from 'fast-check'
import '../packages/testkit/src/dialogue/register.ts'
import { exampleFolder } from '../packages/contracts/src/examples/imports.ts'
import { thinned } from '../packages/sandbox-suites/src/thinned.ts'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { send } from './episodes/agent.ts'
import { driveInPython, python } from './episodes/python.ts'

/** Names and arguments as long as a request may be; in the short form, longer than what is read in place. */
const millions = pickForRun(100_000, 1_000_000)
let suite: Suite
let judge: ScriptedModel
let base = ''
let [programs, dialogues] = ['', '']
beforeAll(async () => {
  suite = await startSuite({ only: ['evaluation', 'execution', 'scoring'] })
  base = suite.urls['evaluation']!
  judge = await startScriptedModel(() => ({ say: 'No.' }))
  await send(base, 'PUT', '/v1/models/judge', { baseUrl: judge.baseUrl, model: 'j' })
  const imported = async (folder: object) =>
    (await send<BenchmarkResource>(base, 'POST', '/v1/benchmarks/import', folder)).body.id
  programs = await imported(exampleFolder)
  dialogues = await imported(folderOf([caseOf(0)]))
})
afterAll(async () => {
  await suite?.stop()
  await judge?.close()
})

/** What an episode comes to for a policy that replies so, and then with nothing until it ends. */
async function rewardOf(request: object, replies: readonly AgentReply[]): Promise<EpisodeTurn> {
  const { status, body } = await send<EpisodeResource>(base, 'POST', '/v1/episodes', request)
  expect([status, status === 201 || body]).toEqual([201, true])
  let turn = body.turn!
  for (let step = 1; !turn.done; step++) {
    // Each input is a conversation, whose limits end it.
    expect(step).toBeLessThan(500)
    const reply = replies[step - 1] ?? {}
    // A busy service has a step taken again, which changes nothing.
    const answer = await until(async () => {
      const path = `/v1/episodes/${body.id}/steps`
      const one = await send<EpisodeTurn>(base, 'POST', path, { step, reply })
      return one.status === 503 ? null : one
    })
    expect([answer.status, answer.status === 200 || answer.body]).toEqual([200, true])
    turn = answer.body
  }
  return turn
}
const isReward = (reward: unknown) => typeof reward === 'number' && reward >= 0 && reward <= 1
const isScored = ({ reward, notScored }: EpisodeTurn) => isReward(reward) && notScored === undefined

/** By name, the last turns of episodes without a number; some episodes run at a time. */
async function unscored(
  request: (name: string) => object,
  replies: Readonly<Record<string, AgentReply>>,
): Promise<Record<string, EpisodeTurn>> {
  const found: Record<string, EpisodeTurn> = {}
  const left = Object.entries(replies)
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const turn = await rewardOf(request(next[0]), [next[1]])
      if (!isScored(turn)) found[next[0]] = turn
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return found
}

const fenced = (language: string, code: string): AgentReply => ({
  text: `\`\`\`${language}\n${code}\n\`\`\``,
})
const calls = (...all: (readonly [name: string, text: string, id?: string])[]): AgentReply => ({
  toolCalls: all.map(([name, text, id = 'a']) => ({ id, name, arguments: text })),
})
const add = (data: string) => ['addSession', `{"source":"web","type":"settings","data":${data}}`] as const
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** Texts and calls as no honest policy writes them. */
const replies: Readonly<Record<string, AgentReply>> = {
  nothing: {},
  'spaces alone': { text: ' \n\t' },
  'no code': { text: 'I would rather not.' },
  'control characters': { text: '\u0000\u0007\u001b[2J' },
  'half characters': {
    text: '\ud800 \udfff',
    toolCalls: [{ id: '\ud800', name: '\udfff', arguments: '"\ud800"' }],
  },
  'as many characters as fit': { text: '\u0000'.repeat(2_000_000) },
  'many fences': { text: '```'.repeat(300_000) },
  'deep nesting': fenced('js', `RESULT = ${deep}`),
  'a finish of its own': { text: 'x', finish: 'content_filter' },
  'more tokens than there are': { text: 'x', usage: { completionTokens: 1_000_000_000 }, ms: 604_800_000 },
  'a function that nobody has': calls(['fly', '{}']),
  'a call without a name': calls(['', '']),
  'arguments that are no object': calls(['addSession', '[]'], ['addSession', 'null'], ['addSession', '{']),
  'deep arguments': calls(['addSession', `{"data":${deep}}`]),
  'infinite arguments': calls(['addSession', '{"data":{"a":1e999}}']),
  'one id for all calls': calls(['listSessions', '{}', 'x'], ['listSessions', '{}', 'x']),
  'long names and ids': calls(['n'.repeat(5 * millions), '{}', 'i'.repeat(5 * millions)]),
  'arguments of quotes': calls(['addSession', '"'.repeat(6 * millions)]),
  'a thousand calls': calls(...Array.from({ length: 1000 }, () => ['listSessions', '{}'] as const)),
  'a result of its own form': calls(['submit_result', '{"__proto__":{"passed":true}}']),
  'a filter that servers fail over': calls([
    'fetchSessions',
    '{"source":"web","type":"settings","filter":{"a":{"$size":1e300}}}',
  ]),
  // As much in fewer results where time counts: each is hashed and stored with those before it.
  'results that fill any document': calls(
    add(JSON.stringify({ a: '"'.repeat(pickForRun(500_000, 100_000)) })),
    ...Array.from(
      { length: pickForRun(18, 90) },
      () => ['listSessions', '{"source":"web","type":"settings"}'] as const,
    ),
  ),
}

const modes: Readonly<Record<string, () => object>> = {
  programs: () => ({ benchmark: programs, timeLimit: 5 }),
  'tool calls': () => ({ benchmark: programs, mode: 'tools' }),
  dialogues: () => ({ benchmark: dialogues, judge: 'judge' }),
}

test.each(Object.keys(modes))('%s: whatever a policy replies, the reward is a number', async (mode) => {
  // A default run leaves out calls where texts are read, and the reverse.
  const isFitting = ([, reply]: [string, AgentReply]) => (mode === 'programs') !== 'toolCalls' in reply
  const tried = Object.entries(replies).filter((one) => isLong || isFitting(one))
  expect(await unscored(modes[mode]!, Object.fromEntries(tried))).toEqual({})
})

test.each(Object.keys(modes))('%s: in whatever order', async (mode) => {
  const request = modes[mode]!
  const anyReplies = fc.array(fc.constantFrom(...Object.keys(replies)), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(anyReplies, async (names) => {
      const turn = await rewardOf(
        request(),
        names.map((name) => replies[name]!),
      )
      expect(isScored(turn) || turn).toBe(true)
    }),
    { numRuns: pickForRun(1, 60) },
  )
})

test('whatever a program does, the reward is a number', async () => {
  const all = [...attacks, ...worldAttacks['session-service']]
  const tried = isLong ? all : thinned(all, 72, ({ name }) => name.split(':')[0]!)
  const byName = new Map(tried.map((attack, n) => [`${n}: ${attack.language}: ${attack.name}`, attack]))
  const programsOf = [...byName].map(([name, { language, code }]) => [name, fenced(language, code)])
  const request = (name: string) => ({
    ...{ benchmark: programs, language: byName.get(name)!.language, timeLimit: 2 },
  })
  expect(await unscored(request, Object.fromEntries(programsOf) as Record<string, AgentReply>)).toEqual({})
})

const inPython = python === undefined ? test.skip : test
inPython('a reply longer than the service takes has a reward by the client for Python', async () => {
  const tooLong: AgentReply[] = [
    { text: 'x'.repeat(2_000_001) },
    calls(...Array.from({ length: 1001 }, () => ['listSessions', '{}'] as const)),
    calls(['addSession', 'x'.repeat(13 * 2 ** 20)]),
  ]
  for (const reply of tooLong) {
    const { status, body } = await send<EpisodeResource>(base, 'POST', '/v1/episodes', modes['programs']!())
    expect(status).toBe(201)
    const refused = await send(base, 'POST', `/v1/episodes/${body.id}/steps`, { step: 1, reply })
    expect([400, 413]).toContain(refused.status)
  }
  const episodes = tooLong.map((reply) => ({
    request: modes['programs']!() as EpisodeRequest,
    replies: [reply],
  }))
  const { rewards } = await driveInPython({ url: base, concurrency: 1, disturbed: false, episodes })
  expect(rewards.filter((reward) => !isReward(reward))).toEqual([])
  expect(rewards).toHaveLength(tooLong.length)
})

test('for what the service fails at, the reward is null, with the reason', async () => {
  const away = await startScriptedModel(() => ({ status: 503, message: 'away' }))
  await send(base, 'PUT', '/v1/models/away', { baseUrl: away.baseUrl, model: 'j', retries: 0 })
  const { reward, score, notScored } = await rewardOf({ benchmark: dialogues, judge: 'away' }, [])
  await away.close()
  expect([reward, score, notScored]).toEqual([null, undefined, expect.stringMatching(/./)])
})
