/**
 * Probes of endpoints: of each dialect that a scripted endpoint plays, and of each thing that may be off.
 */
import { expect, test } from '@jest/globals'
import {
  type DialectId,
  dialectIds,
  type ProbeFinding,
  type FindingId,
  findingIds,
  type ModelSettings,
} from '@stateeval/contracts'
import { playedDialects } from '../../testkit/src/played-dialects.ts'
import { answerProbe } from '../../testkit/src/probed-model.ts'
import type { Script, ScriptedRequest } from '../../testkit/src/scripted-model.ts'
import { type SpendingAccount, type ModelRequest, probeModel } from '../src/index.ts'
import { contextMembers } from '../src/probe/context-length.ts'
import { probeQuestions } from '../src/probe/questions.ts'
import { remedies } from '../src/probe/remedies.ts'
import { clientWith, secret, serveBy } from './asking.ts'

const signal = new AbortController().signal
const account: SpendingAccount = { id: 'pr_1', by: 'pr_1' }
const probe = (settings: ModelSettings, of: SpendingAccount = account) =>
  probeModel({ modelClient: clientWith() }, of, { name: 'm', settings }, signal)
async function findingsOf(settings: ModelSettings): Promise<ProbeFinding[]> {
  const end = await probe(settings)
  if (!end.ok) throw new Error(end.reason)
  return end.findings
}
/** Findings without reasons and remedies: how each thing is. */
const short = (findings: readonly ProbeFinding[]) =>
  Object.fromEntries(
    findings.map((finding) => {
      const { id, found } = finding
      const { how, value } = finding.found === 'unknown' ? {} : finding
      return [id, [found, how, value].filter(Boolean).join(' ')]
    }),
  )

/** What an endpoint that does everything shows. */
const everything: Partial<Record<FindingId, string>> = {
  ...Object.fromEntries(findingIds.map((id) => [id, 'yes'])),
  leftovers: 'no',
  thoughts: 'no',
  contextLength: 'unknown',
}
const thoughtsIn = (member: string) => ({ thoughts: `yes message ${member}` })
const listed = { contextLength: 'yes 131072' }
/** What differs, by dialect. */
const differences: Partial<Record<DialectId, Partial<Record<FindingId, string>>>> = {
  openai: { maxTokens: 'no rejected', temperature: 'no rejected' },
  azure: { maxTokens: 'no rejected' },
  deepseek: { jsonSchema: 'no rejected', ...thoughtsIn('reasoning_content') },
  mistral: { maxCompletionTokens: 'no rejected', streamOptions: 'no rejected', ...listed },
  groq: { ...thoughtsIn('reasoning'), ...listed },
  xai: thoughtsIn('reasoning_content'),
  openrouter: { ...thoughtsIn('reasoning'), ...listed },
  vllm: { ...thoughtsIn('reasoning_content'), ...listed },
  sglang: { ...thoughtsIn('reasoning_content'), ...listed },
  bedrock: { thoughts: 'yes text <reasoning>' },
  ollama: thoughtsIn('reasoning'),
  'llama.cpp': { namedTool: 'no rejected', ...listed },
  'lm-studio': { namedTool: 'no rejected' },
}

test.each(dialectIds)('%s: its findings, whether its dialect is set or not', async (dialect) => {
  const { baseUrl } = await serveBy(answerProbe, playedDialects[dialect])
  const settings = { baseUrl, model: 'x' }
  const expected = { ...everything, ...differences[dialect] }
  expect(short(await findingsOf({ ...settings, dialect }))).toEqual(expected)
  expect(short(await findingsOf(settings))).toEqual(expected)
})

const asked: readonly ModelRequest[] = [
  { messages: [{ role: 'user', content: 'What is 2 + 3?' }] },
  { messages: [{ role: 'user', content: 'Hello' }], schema: { type: 'object' } },
  {
    messages: [{ role: 'user', content: 'Paris' }],
    tools: [{ name: 'a' }, { name: 'b' }],
    toolChoice: { name: 'b' },
  },
]

test.each(dialectIds)('%s: with the findings, no request is rejected, from the first on', async (dialect) => {
  const { baseUrl, requests } = await serveBy(answerProbe, playedDialects[dialect])
  const settings: ModelSettings = {
    ...{ baseUrl, model: 'x', stream: true },
    parameters: { max_tokens: 9, temperature: 0 },
  }
  const findings = await findingsOf(settings)
  const told = clientWith()
  told.takeFindings(settings, findings)
  const stored = clientWith([], { findings: async () => findings })
  for (const client of [told, stored]) {
    requests.length = 0
    for (const request of asked)
      expect(await client.ask({ name: 'm', settings }, request, signal)).toMatchObject({ status: 'done' })
    expect(requests).toHaveLength(asked.length)
  }
})

const reply = (message: object, finish = 'stop'): Script => ({
  status: 200,
  body: JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  }),
})
/** Calls as the request wants them, with these members in place of their ids and types. */
const withCalls = (request: ScriptedRequest, ...members: readonly object[]) => {
  const { name = '', arguments: text } = answerProbe(request).toolCalls?.[0] ?? {}
  const calls = members.map((one) => ({ function: { name, arguments: text }, ...one }))
  return reply({ content: null, tool_calls: calls }, 'tool_calls')
}
const hasTools = ({ parameters: { tools } }: ScriptedRequest) => tools !== undefined
const ofTools =
  (script: Script | ((request: ScriptedRequest) => Script)) =>
  (request: ScriptedRequest): Script =>
    hasTools(request) ? (typeof script === 'function' ? script(request) : script) : answerProbe(request)
const said = (change: (say: string) => string) => (request: ScriptedRequest) => {
  const answer = answerProbe(request)
  return { ...answer, say: change(answer.say) }
}
const isStreamed = ({ parameters }: ScriptedRequest) => parameters['stream'] === true

const off: readonly [
  what: string,
  rule: (request: ScriptedRequest) => Script,
  findings: object,
  remedy: string,
][] = [
  [
    'calls as text',
    ofTools({ say: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>' }),
    { tools: 'no text qwen', namedTool: 'unknown', parallelCalls: 'unknown', streamedCalls: 'unknown' },
    'ComplexFuncBench with --layout qwen, NESTFUL with --setup one-shot',
  ],
  [
    'tools rejected',
    ofTools({ status: 400, message: '"auto" tool choice requires --enable-auto-tool-choice' }),
    { tools: 'no rejected', callIds: 'unknown' },
    'Your server rejects tools',
  ],
  ['words instead of a call', ofTools({ say: 'It rains.' }), { tools: 'unknown' }, ''],
  [
    'calls without ids and types',
    (request) =>
      hasTools(request) && !isStreamed(request) ? withCalls(request, {}, {}) : answerProbe(request),
    { tools: 'yes', callIds: 'no', callTypes: 'no' },
    '',
  ],
  [
    'the same id twice',
    ofTools((request) => withCalls(request, { id: 'c' }, { id: 'c' })),
    { callIds: 'no' },
    '',
  ],
  [
    'one call at a time',
    ofTools((request) => withCalls(request, { id: 'c', type: 'function' })),
    { parallelCalls: 'no one by one', callIds: 'yes' },
    '',
  ],
  [
    'no streams',
    (request) => {
      const { say, toolCalls, finish } = answerProbe(request)
      return reply(
        {
          content: say,
          ...(toolCalls && {
            tool_calls: toolCalls.map((one, n) => ({ id: `c${n}`, type: 'function', function: one })),
          }),
        },
        finish,
      )
    },
    { streaming: 'no ignored', streamedCalls: 'yes' },
    'does not stream',
  ],
  [
    'a named tool without effect',
    (request) => {
      const { tool_choice: _, ...parameters } = request.parameters
      return answerProbe({ ...request, parameters })
    },
    { tools: 'yes', namedTool: 'no ignored' },
    'choose --dialect llama.cpp',
  ],
  [
    'streams without calls',
    (request) =>
      hasTools(request) && isStreamed(request) ? { say: '<tool_call>get_weather' } : answerProbe(request),
    { tools: 'yes', streamedCalls: 'no text qwen' },
    'Streamed answers have no tool calls',
  ],
  [
    'no usage',
    (request) => ({ ...answerProbe(request), usage: null }),
    { usage: 'no', streamUsage: 'no' },
    '--budget-tokens',
  ],
  [
    'no role system',
    (request) =>
      request.messages.some(({ role }) => role === 'system')
        ? { status: 400, message: 'roles must alternate' }
        : answerProbe(request),
    { systemRole: 'no rejected' },
    'rejects the role system',
  ],
  [
    'limits without effect',
    (request) =>
      answerProbe({
        ...request,
        parameters: { ...request.parameters, max_tokens: 0, max_completion_tokens: 0 },
      }),
    { maxTokens: 'no ignored', maxCompletionTokens: 'no ignored' },
    'ignores max_tokens',
  ],
  [
    'schemas without effect',
    (request) => (request.parameters['response_format'] ? { say: 'Hello!' } : answerProbe(request)),
    { jsonSchema: 'no ignored' },
    'does not enforce json_schema',
  ],
  [
    'a stop token in the text',
    said((say) => `${say}<|im_end|>`),
    { leftovers: 'yes text <|im_end|>' },
    '"stop": ["<|im_end|>"]',
  ],
  [
    'thoughts in the text',
    said((say) => `<think>Hm.</think>\n${say}`),
    { thoughts: 'yes text <think>', jsonSchema: 'yes' },
    'reasoning parser is off',
  ],
  [
    'random answers',
    (request) => {
      const answer = answerProbe(request)
      return answer.say.includes('okapi') ? { say: `okapi ${request.count}` } : answer
    },
    { temperature: 'no ignored', seed: 'no ignored' },
    'Answers differ at temperature 0',
  ],
  [
    'no seed',
    (request) =>
      request.parameters['seed'] === undefined ? answerProbe(request) : { status: 422, message: 'seed' },
    { seed: 'no rejected', temperature: 'yes' },
    'does not honour seed',
  ],
  [
    'cut thoughts',
    (request) => (hasTools(request) ? { say: '<think>So', finish: 'length' } : answerProbe(request)),
    { tools: 'unknown' },
    '',
  ],
  [
    'faults',
    (request) => (isStreamed(request) ? { status: 500 } : answerProbe(request)),
    { streaming: 'unknown', usage: 'yes' },
    '',
  ],
]

test.each(off)('off: %s', async (_, rule, expected, remedy) => {
  const { baseUrl } = await serveBy(rule)
  const findings = await findingsOf({ baseUrl, model: 'x' })
  expect(short(findings)).toMatchObject(expected)
  const says = findings.flatMap((finding) => ('remedy' in finding && finding.remedy) || [])
  if (remedy === '') expect(says).toEqual([])
  else expect(says.join('\n')).toContain(remedy)
})

test('an endpoint with nothing off has no remedies, and is asked about a dozen questions', async () => {
  const { baseUrl, requests } = await serveBy(answerProbe)
  const end = await probe({
    baseUrl,
    model: 'x',
    parameters: { max_tokens: 32_000, temperature: 1, top_p: 0.9 },
  })
  expect(end).toMatchObject({ ok: true, usage: { requests: 15, promptTokens: 150, completionTokens: 75 } })
  expect(JSON.stringify(end)).not.toContain('remedy')
  expect(requests).toHaveLength(15)
  // Bounded, whatever the settings say; what else they have is sent.
  for (const { parameters } of requests) {
    expect(Number(parameters['max_tokens'] ?? parameters['max_completion_tokens'])).toBeLessThanOrEqual(512)
    expect(parameters['top_p']).toBe(0.9)
  }
})

test('the account is asked before each question, and an endpoint that does not answer is left', async () => {
  const { baseUrl, requests } = await serveBy(answerProbe)
  const used: number[] = []
  const end = await probe(
    { baseUrl, model: 'x' },
    {
      ...account,
      async over({ requests: n }) {
        used.push(n)
        return n > 0 ? 'the budget is used up' : null
      },
    },
  )
  expect(end).toMatchObject({ ok: true })
  expect(JSON.stringify(end)).toContain('the budget is used up')
  expect(requests).toHaveLength(1)
  expect(used.length).toBeGreaterThan(10)
  const away = await serveBy(() => ({ status: 401, message: `wrong key ${secret}` }))
  const failed = await probe({ baseUrl: away.baseUrl, model: 'x', keyEnv: 'STATEEVAL_KEY_T' })
  expect(failed).toMatchObject({ ok: false, usage: { requests: 0 } })
  expect(JSON.stringify(failed)).toContain('wrong key [key]')
  expect(away.requests).toHaveLength(1)
})

test('a base model is asked what its API has', async () => {
  const { baseUrl, requests } = await serveBy(answerProbe)
  const findings = short(await findingsOf({ baseUrl, model: 'x', api: 'completions' }))
  expect(findings).toMatchObject({
    ...{ usage: 'yes', streaming: 'yes', maxTokens: 'yes', temperature: 'yes' },
    ...{ tools: 'unknown', systemRole: 'unknown', jsonSchema: 'unknown', maxCompletionTokens: 'unknown' },
  })
  expect(requests.every(({ prompt }) => prompt !== undefined)).toBe(true)
})

test('each finding has a question; remedies and marks are of findings, and have sources', () => {
  const found = new Set(probeQuestions.flatMap(({ finds }) => Object.keys(finds)))
  expect([...found, 'contextLength'].sort()).toEqual([...findingIds].sort())
  for (const { rejected, finds } of probeQuestions)
    if (rejected) expect(Object.keys(finds)).toContain(rejected)
  for (const { id, says } of remedies) {
    expect(found).toContain(id)
    expect(says).toMatch(/^[A-Z].*(--[a-z]|max_tokens).*\.$/)
  }
  for (const { source } of contextMembers) expect(source).toMatch(/^https:\/\//)
})
