/**
 * Prompts of both setups and all layouts, and how an answer becomes the file that the published evaluator
 * reads.
 */
import { describe, expect, test } from '@jest/globals'
import type { Message } from '@stateeval/contracts'
import { ask, serve } from '../../../packages/models/test/asking.ts'
import { buildCodeFile } from '../answer/code-file.ts'
import { settings } from '../prompt/settings.ts'
import { setups, buildStarter } from '../prompt/starter.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'

const c = sampleCases[2]!
const messages = (options: object): Message[] => {
  const turn = sampleBenchmark.episode.start(c, {
    language: 'javascript',
    prompting: 'direct',
    documentation: 'none',
    ...options,
  })
  if ('done' in turn || turn.need.kind !== 'reply') throw new Error('nothing is asked')
  return turn.need.append
}
const starter = buildStarter(c.instruction, c.task, 'full')

test('starter code', () => {
  expect(starter).toBe(`// ${c.instruction}\nconst axios = require('axios');\n\naxios.`)
  expect(buildStarter(c.instruction, c.task, 'arguments')).toBe(
    `// ${c.instruction}\nconst axios = require('axios');\n\naxios.post('https://api.library.example/v2/books',`,
  )
  expect(buildStarter(c.instruction, c.task, 'import')).toBe(
    `// ${c.instruction}\nconst axios = require('axios');\n`,
  )
})
test('chat: the first sentence is the system’s', () => {
  const [system, user] = messages({})
  expect(system).toEqual({
    role: 'system',
    content: 'You are an AI programming assistant that helps users write API requests.',
  })
  expect(user!.content).toMatch(
    /^You are given a comment[^]*Your next task is about the Library API\. Complete the following code snippet:\n\n```javascript\n/,
  )
  expect(user!.content.endsWith(starter)).toBe(true)
})
test.each(setups)('base and instruct under %s: one message that ends with the starter code', (setup) => {
  const [base, ...none] = messages({ layout: 'base', setup })
  expect(none).toEqual([])
  expect(base!.content.endsWith(buildStarter(c.instruction, c.task, setup))).toBe(true)
  const [instruct] = messages({ layout: 'instruct', setup })
  expect(instruct!.content).toBe(
    base!.content.replace('code snippet:', 'code snippetwithout any explanations:'),
  )
})
test('what a base model’s endpoint gets ends with the starter code', async () => {
  const server = await serve({ say: 'x' })
  await ask(server, { api: 'completions' }, { request: { messages: messages({ layout: 'base' }) } })
  expect(server.requests[0]?.prompt?.endsWith(`const axios = require('axios');\n\naxios.`)).toBe(true)
})
test('documentation stands before all: none, the whole, or what is near the task', () => {
  expect(messages({})[1]!.content).not.toContain('# Library')
  const full = messages({ documentation: 'full' })[1]!.content
  expect(full).toMatch(
    /^# Library\n\nServer: https:\/\/api\.library\.example\/v2\nAuthentication: header Authorization or query api_key\n/,
  )
  expect(full.match(/^## /gm)).toHaveLength(11)
  expect(full).toContain(
    '## POST /books\nAdd a book\n- pretty (query, boolean): Indented answers.\nBody (application/json):\n- title (string, required): What stands on the cover.',
  )
  const relevant = messages({ documentation: 'relevant' })[1]!.content
  expect(relevant).toContain('## POST /books\n')
  expect(relevant.match(/^## /gm)).toHaveLength(10)
  expect(messages({ documentation: 'relevant' })).toEqual(messages({ documentation: 'relevant' }))
})

describe('from answer to code file', () => {
  const head = starter.slice(0, -'axios.'.length)
  test.each([
    ['chat', 'goes on', `post('u');`, `${starter}post('u');`],
    ['chat', 'a call of its own', `Here:\naxios.post('u');`, `${head}axios.post('u');`],
    ['chat', 'a fence without axios.', '```javascript\npost(1);\n```\n', `${starter}post(1);\n\`\`\``],
    ['base', 'goes on', `post('u');`, `${starter}post('u');`],
    ['base', 'repeats all, twice', `${starter}get('a');\n${starter}get('b');`, `${starter}get('b');`],
    ['instruct', 'goes on', `post('u');`, `${starter}post('u');`],
    ['instruct', 'repeats the last line', `\n## Response:\naxios.post('u');`, `${starter}post('u');`],
    ['instruct', 'a role marker', `\n### Assistant: \npost('u');`, `${starter}post('u');`],
    ['instruct', 'repeats all', `${starter}get('a');`, `${starter}get('a');`],
  ] as const)('%s: %s', (layout, _, answer, file) =>
    expect(buildCodeFile(answer, starter, layout)).toBe(file),
  )
})
const ends = { max_tokens: 250, stop: ['\n```\n'] }
const sampling = { temperature: 0.2, top_p: 1, top_k: 50, ...ends }
test.each([
  ['base', 1, { temperature: 0, ...ends }],
  ['instruct', 1, { temperature: 0, ...ends }],
  ['base', 5, sampling],
  ['instruct', 5, sampling],
  ['chat', 1, { temperature: 0, ...ends }],
  ['chat', 5, { temperature: 0, ...ends }],
  [undefined, 5, { temperature: 0, ...ends }],
])('published generation settings of %s models, %d samples a task', (layout, samples, parameters) => {
  expect(settings['published']!({ ...(layout !== undefined && { layout }), samples })).toEqual(parameters)
})
