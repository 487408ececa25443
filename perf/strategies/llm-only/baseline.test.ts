/** A model is asked over HTTP until there are enough programs, and what it wrote joins the result. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from '@jest/globals'
import { createModelClient } from '@stateeval/models'
import { findScenario } from '@stateeval/scenarios'
import {
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  startScriptedModel,
} from '../../../packages/testkit/src/scripted-model.ts'
import type { Run } from '../measure.ts'
import { llmOnlyOf } from './baseline.ts'
import { readOptions, rulesOf } from './options.ts'
import { promptFor } from './prompt.ts'
import { lineOf, partsOf, rowOf } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'llm-only-'))
const scenario = findScenario('elevenlabs-mcp')!
const secret = 'sk-very-secret'
const env = { STATEEVAL_KEY_T: secret, STATEEVAL_KEY_T_HOSTS: '127.0.0.1:*' }
let server: ScriptedModel | undefined
let files = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(async () => {
  await server?.close()
  server = undefined
})

const client = createModelClient({
  ...rulesOf(env),
  pause: async () => {},
  clock: () => 0,
  now: () => 0,
  random: () => 0,
  retries: 1,
})
const program = (...apis: string[]) => ({
  say: `\`\`\`javascript\n${apis.map((api) => `await ${api}({});`).join('\n')}\nRESULT = {};\n\`\`\``,
})
const [T, S, C] = ['text_to_speech', 'speech_to_text', 'isolate_audio']

/** Starts an endpoint and gives the options that name it. */
async function serve(rule: (request: ScriptedRequest) => Script, ...more: string[]) {
  server = await startScriptedModel(rule)
  const file = join(folder, `${files++}.jsonl`)
  const named = [
    '--model',
    'mine',
    '--base-url',
    server.baseUrl,
    '--model-id',
    'x',
    '--key-env',
    'STATEEVAL_KEY_T',
  ]
  const { llmOnly } = readOptions([...named, '--answers', file, ...more], env)
  return { server, file, asked: () => llmOnlyOf([scenario], 5, llmOnly!, client) }
}
const onlyOne = async (asked: () => ReturnType<typeof llmOnlyOf>) =>
  (await asked()).baselines.get(scenario.id)!

test('asks until there are enough programs, counts what is unusable, and asks for nothing twice', async () => {
  const scripts: Script[] = [
    { say: 'I would call text_to_speech first.' },
    { status: 500 },
    program(T, T, T, S),
    program(T, T, S, S, T),
    { say: '```js\nawait ((\n```' },
    program(T, S, T, S, T),
    program(T, S, C, S, T),
    { say: '```js\nfor (const x of y) await text_to_speech({ text: x })\n```' },
    program(T, T, T, T, C),
  ]
  const { server, file, asked } = await serve(
    ({ count }) => scripts[count] ?? program(T, T, T, T, C),
    '--programs',
    '4',
  )
  const first = await asked()
  const { adjacent, about } = first.baselines.get(scenario.id)!
  expect(adjacent).toHaveLength(4)
  expect([...adjacent]).toEqual([...adjacent].sort((a, b) => a - b))
  // T>T T>S S>S S>T, then none new, then S>C C>S, then T>C.
  expect(adjacent.at(-1)).toBe(7)
  expect(about).toBe(
    '`llm-only` (mine): 4 programs from 8 questions, 4 distinct sequences of calls among them; 4 answers without a usable program ' +
      '(of these, counted by the first thing that is wrong: 1 holds no program; 1 does not make 5 calls on every path; 1 is no JavaScript; 1 has a loop).',
  )
  expect(first.used).toContain('mine was sent 9 requests in this run: 80 prompt and 40 completion tokens.')
  expect(server.requests[0]?.authorization).toBe(`Bearer ${secret}`)
  expect(new Set(server.requests.map(({ messages }) => messages[0]?.content))).toEqual(
    new Set([promptFor(scenario, 5)]),
  )

  writeFileSync(file, `${readFileSync(file, 'utf8')}{"cut sh`)
  const again = await asked()
  expect(again.baselines.get(scenario.id)).toEqual({ model: 'mine', adjacent, about })
  expect(again.used).toContain('0 requests')
  expect(server.requests).toHaveLength(9)
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
})

test('stops after so many questions, and where the budget is spent, with what there is', async () => {
  const endless = await serve(() => ({ say: 'No.' }), '--programs', '2', '--queries', '5')
  expect((await onlyOne(endless.asked)).about).toBe(
    '`llm-only` (mine): 0 programs of 2 from 5 questions, 0 distinct sequences of calls among them; ' +
      '5 answers without a usable program (of these, counted by the first thing that is wrong: 5 holds no program); ended early: 5 questions were asked.',
  )
  expect(endless.server.requests).toHaveLength(5)
  await endless.server.close()
  const broke = await serve(() => program(T, T, T, T, T), '--budget-tokens', '0')
  expect((await onlyOne(broke.asked)).about).toContain('0 programs of 40 from 0 questions')
  expect((await onlyOne(broke.asked)).about).toContain('ended early: the budget of 0 tokens is spent')
  await broke.server.close()
  const down = await serve(() => ({ status: 500 }), '--programs', '2', '--queries', '3')
  expect((await onlyOne(down.asked)).about).toContain('3 questions without an answer')
})

test('what no question would be answered for is told at once', async () => {
  const { asked } = await serve(() => ({ status: 401, message: 'bad key' }))
  await expect(asked()).rejects.toThrow(/^(--model )?mine: /)
  const fault =
    (...options: string[]) =>
    () =>
      readOptions(options, env)
  expect(fault('--model', 'mine')).toThrow(
    '--model mine: describe it with --base-url, --model-id and --key-env, or declare it in a file that STATEEVAL_MODELS_FILE names',
  )
  expect(fault('--model', 'mine', '--base-url', 'ftp://x/y')).toThrow('baseUrl must begin with http')
  expect(fault('--model', 'mine', '--base-url', 'http://a/v1', '--key-env', 'HOME')).toThrow(
    'HOME may not be named as a key',
  )
  expect(fault('--model', 'mine', '--base-url', 'http://a/v1', '--budget-usd', '1')).toThrow(
    'mine has no prices',
  )
  expect(fault('--seeds', 'many')).toThrow('--seeds must be an integer from 1, not many')
  const file = join(folder, 'models.json')
  writeFileSync(file, JSON.stringify({ other: { baseUrl: 'http://127.0.0.1:9/v1', model: 'o' } }))
  const declared = (name: string) => readOptions(['--model', name], { STATEEVAL_MODELS_FILE: file }).llmOnly
  expect(declared('other')?.model.settings.model).toBe('o')
  expect(() => declared('mine')).toThrow(`--model mine: ${file} declares other`)
  expect(readOptions([], env)).toEqual({ seeds: 200, llmOnly: null })
})

test('the baseline has a row, a line, and a part for each strategy', () => {
  const baseline = { model: 'mine', adjacent: [4, 6, 6], about: '' }
  expect(rowOf(baseline, [1, 2, 5], 36)).toBe('| llm-only | – / 0.11 | – / 0.17 |  |')
  expect(lineOf(baseline, 36).values).toEqual([4 / 36, 6 / 36, 6 / 36])
  const run = (...adjacent: number[]): Run => ({
    until: null,
    adjacent,
    linked: [],
    bound: 0,
    names: new Set(),
  })
  expect(partsOf(baseline, { planned: [run(4, 8, 12, 16), run(4, 8, 10, 14)] }, 's')).toEqual([
    {
      name: 'planned, s, after 3 programs (peer: llm-only of mine)',
      unit: 'adjacent pairs',
      ours: 11,
      peer: 6,
      ratio: 11 / 6,
      spread: 1,
    },
  ])
  expect(partsOf({ ...baseline, adjacent: [] }, { planned: [run(4)] }, 's')).toEqual([])
})

test.each(['session-service', 'tensor-operation', 'elevenlabs-mcp'])(
  'the prompt of %s has its documentation and no empty place',
  (id) => {
    const text = promptFor(findScenario(id)!, 5)
    expect(text).toContain(findScenario(id)!.documentation('javascript').trim())
    expect(text).toContain('exactly 5 calls')
    expect(text).not.toContain('{{')
  },
)
