/**
 * `stateeval paper` on the real services: every table and figure for built-in models and a scripted endpoint,
 * continued and repeated.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { PaperExhibit } from '@stateeval/program/presentation'
import { type ScriptedModel, startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import { createClient } from '@stateeval/client'
import { evaluationOperations } from '@stateeval/contracts'
import { createProgram } from '../apps/cli/src/program.ts'

let suite: Suite
let endpoint: ScriptedModel
let scratch = ''
/** Called when a question arrives. */
let onQuestion = () => {}

const program = (...apis: string[]) =>
  `\`\`\`javascript\n${apis.map((api) => `await ${api}({})`).join('\n')}\nRESULT = {}\n\`\`\``
const [T, S, I] = ['text_to_speech', 'speech_to_text', 'isolate_audio']
/** Programs from the documentation: of the first four answers, two are usable. */
const programs = [
  program(T, S, T, S, T),
  program(T, T),
  'No.',
  program(T, I, T, I, T),
  program(T, T, T, T, S),
]

type Messages = readonly { content: string }[]
const isFree = (messages: Messages) =>
  messages.some(({ content }) => content.startsWith('Write a JavaScript program that tests'))
/** Which tasks get code that can't be parsed: the same ones each time. */
const isBroken = (messages: Messages) => messages.map(({ content }) => content).join('').length % 2 === 0

beforeAll(async () => {
  suite = await startSuite()
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  process.env['STATEEVAL_URL'] = suite.urls['evaluation']
  process.env['STATEEVAL_TRACE_GENERATION_URL'] = suite.urls['trace-generation']
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-paper-'))
  process.env['STATEEVAL_HOME'] = scratch
  let free = 0
  endpoint = await startScriptedModel(({ messages, count }) => {
    onQuestion()
    if (isFree(messages)) return { say: programs[free++] ?? program(T, T, T, T, T) }
    const say = isBroken(messages)
      ? '```javascript\nRESULT = {\n```'
      : '```javascript\nRESULT = { x: 1 }\n```'
    // Long enough to be stopped meanwhile.
    return { say, ...(count === 0 && { afterMs: 500 }) }
  })
})
afterAll(async () => {
  await suite?.stop()
  await endpoint?.close()
  await rm(scratch, { recursive: true, force: true })
})

async function stateeval(args: string[], signal = new AbortController().signal) {
  let out = ''
  let err = ''
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  }
  const code = await createProgram(streams, signal)(args)
  return { code, out, err }
}

const args = [
  'paper',
  ...['--models', 'reference,mutant,mine', '--baseline-model', 'mine', '--scenarios', 'elevenlabs-mcp'],
  ...['--programs', '4', '--keep', '4', '--repeats', '1', '--seed', '5'],
]

test('one command makes every table and figure; stopped, it continues; again, it asks for nothing', async () => {
  expect(await stateeval(['paper', '--models', 'nobody'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('nobody'),
  })
  expect(await stateeval(['paper', '--tables', 'fig9'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no table fig9. Available: fig3, 1, 2, fig4, fig5, rq5.'),
  })
  const named = ['model', 'mine', '--base-url', endpoint.baseUrl, '--model-id', 'scripted']
  expect(await stateeval(named)).toMatchObject({ code: 0 })

  // Stopped at its first question, and the evaluation cancelled.
  const stop = new AbortController()
  onQuestion = () => stop.abort()
  expect((await stateeval([...args, '--tables', 'fig4'], stop.signal)).code).toBe(2)
  onQuestion = () => {}
  const client = createClient(evaluationOperations, { baseUrl: suite.urls['evaluation']! })
  const { items } = await client.listEvaluations()
  const stopped = items.find(({ model }) => model === 'mine')!
  expect(await client.cancelEvaluation({ params: { id: stopped.id } })).toMatchObject({ status: 'cancelled' })

  const folder = join(scratch, 'out')
  const first = await stateeval([...args, '--json', '--out', folder])
  expect(first.err).not.toContain('Error')
  expect(first.code).toBe(0)
  const { exhibits, runs } = JSON.parse(first.out) as {
    exhibits: PaperExhibit[]
    runs: Record<string, string>
  }
  expect(runs['mine on elevenlabs-mcp']).toBe(stopped.id)
  const tableOf = (id: string) => exhibits.find((one) => one.id === id)!.tables[0]!
  const rowOf = (id: string, name: string) => tableOf(id).rows.find(([head]) => head === name)!

  // Fig. 3: after four programs, of which the model's are the first four that are usable.
  // T>S S>T T>I I>T T>T, of 36 pairs, in whichever order the questions came.
  expect(rowOf('fig3', 'llm-only mine').at(-1)).toBe('0.14')
  expect(Number(rowOf('fig3', 'planned').at(-1))).toBeGreaterThan(0.14)
  expect(exhibits.find(({ id }) => id === 'fig3')!.notes.at(-1)).toMatch(
    /^mine, elevenlabs-mcp: 4 usable of \d answers; the others: 1 no code, 1 other length\.$/,
  )
  expect(rowOf('1', 'cases').slice(0, 3)).toEqual(['cases', '4', '4'])
  expect(Number(rowOf('1', 'prompt without documentation (tokens)')[1])).toBeGreaterThan(300)
  expect(rowOf('1', 'function calls')[1]).toMatch(/^\d+\.\d\d$/)
  expect(rowOf('2', 'mine').slice(0, 4)).toEqual(['mine', 'scripted', 'defaults', '4'])
  expect(rowOf('fig4', 'reference')[1]).toBe('100.0 % (4/4)')
  expect(rowOf('fig4', 'mine')[1]).toBe('0.0 % (0/4)')
  expect(rowOf('fig5', 'reference').slice(2)).toEqual(['0', '0', '0', '0'])
  const uniqueQuestions = new Map(
    endpoint.requests.map(({ messages }) => [JSON.stringify(messages), messages]),
  )
  const tasks = [...uniqueQuestions.values()].filter((messages) => !isFree(messages))
  expect(tasks).toHaveLength(4)
  expect(rowOf('fig5', 'mine').slice(2).map((cell) => Number(/^\d+/.exec(cell)))).toEqual([4, tasks.filter(isBroken).length, 0, 4 - tasks.filter(isBroken).length]) // oxfmt-ignore
  expect(rowOf('rq5', 'mine').slice(1).reduce((sum, cell) => sum + Number(cell), 0)).toBeGreaterThan(0) // oxfmt-ignore

  const names = await readdir(folder)
  for (const name of ['paper.md', 'table-1.csv', 'fig3.svg', 'fig4.svg', 'fig5.svg', 'rq5.md'])
    expect(names).toContain(name)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join()).not.toMatch(/NaN|undefined/)

  // Six programs until four were usable; of the four tasks some were in flight when the evaluation was
  // cancelled.
  expect(endpoint.requests.filter(({ messages }) => isFree(messages))).toHaveLength(6)
  const questions = endpoint.requests.length
  expect(questions).toBeLessThanOrEqual(6 + 2 * 4)
  const second = await stateeval([...args, '--json', '--out', folder])
  expect(second.out).toBe(first.out)
  expect(endpoint.requests).toHaveLength(questions)
  expect(await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).toEqual(texts)

  const text = await stateeval([...args, '--tables', 'fig4'])
  expect(text.out).toMatch(/^Fig\. 4: pass@1 of each model/)
  expect(text.out).not.toContain('Table I')
})
