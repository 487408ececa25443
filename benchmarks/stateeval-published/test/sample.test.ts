/** The committed sample, answered: references pass under both policies, and a published weakness shows. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getFirstAnswer } from '@stateeval/program'
import type { PublishedCase } from '../case.ts'
import { writePublishedAnswer } from '../player.ts'
import { imported } from './own.ts'
import { type Runner, startRunner } from './run.ts'

const folder = join(import.meta.dirname, '../sample')
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.jsonl?$/.test(path),
)
const all = imported(
  Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
)
const caseOf = (id: string) => all.cases.find((c) => c.id === id)!

let runner: Runner
beforeAll(async () => {
  runner = await startRunner()
})
afterAll(() => runner.close())

const verdictsOf = async (c: PublishedCase, code: string) => {
  const { policies = {} } = await runner.score(all, c, writePublishedAnswer(code))
  return Object.fromEntries(Object.entries(policies).map(([policy, { verdict }]) => [policy, verdict]))
}
const both = (verdict: string) => ({ published: verdict, sound: verdict })

test('its cases are read, without a warning', () => {
  expect(all.set.warnings).toEqual([])
  expect(all.cases.map(({ id }) => id)).toEqual([
    'session-1',
    'session-4',
    'tensor-0',
    'tensor-2',
    'voice-0',
    'voice-3',
  ])
})

test.each(all.cases.map((c) => [c.id, c] as const))('the reference of %s passes', async (_, c) => {
  const missing = await runner.missing(c.task.scenario)
  if (missing !== null) return console.log(`skipped: ${missing}`)
  const score = await runner.score(all, c, getFirstAnswer(all.benchmark.player(c, { prompting: 'direct' }))!)
  expect(score).toMatchObject({
    passed: true,
    policies: { published: { passed: true }, sound: { passed: true } },
  })
})

test.each<[string, string, (code: string) => string, Record<string, string>]>([
  [
    'a delete that is left out passes as published',
    'session-4',
    (code) => code.replace(/requests\.delete\(.*\)/, 'pass'),
    { published: 'passed', sound: 'result_error' },
  ],
  [
    'an empty RESULT passes as published',
    'session-1',
    (code) => code.replace(/RESULT = .*/, 'RESULT = {}'),
    { published: 'passed', sound: 'result_error' },
  ],
  [
    'no session is stored',
    'session-1',
    (code) => code.replace(/requests\.post\(.*\)\.json\(\)/, '{}'),
    both('result_error'),
  ],
  ['the address is a text, not a variable', 'session-1', () => 'RESULT = BASE_URL', both('execution_error')],
  ['nothing else is there', 'session-1', () => 'RESULT = os.getcwd()', both('execution_error')],
  [
    'a guard does nothing as released',
    'session-1',
    (code) => `if __name__ == "__main__":\n${code.replace(/^/gm, '    ')}`,
    { published: 'result_error', sound: 'passed' },
  ],
  [
    'an exit ends the released evaluator',
    'session-1',
    (code) => `${code}import sys\nsys.exit(0)`,
    { published: 'execution_error', sound: 'passed' },
  ],
  ['no program', 'voice-0', () => 'RESULT = (', both('syntax_error')],
  [
    'a call is recorded before it is refused',
    'voice-0',
    (code) => code.replace('"James"', '"Nobody"'),
    both('execution_error'),
  ],
  [
    'what changes a speech later shows in the record',
    'voice-0',
    (code) => code.replace('speech_to_text(response_0', 'speech_to_text(isolate_audio(response_0)'),
    both('result_error'),
  ],
  [
    'RESULT without a length',
    'voice-0',
    (code) => code.replace(/RESULT = .*/, 'RESULT = 5'),
    { published: 'syntax_error', sound: 'result_error' },
  ],
  [
    'positions of a tuple do not count',
    'voice-0',
    (code) => code.replace('(response_2, user_variable_1)', '[user_variable_1, response_2]'),
    both('passed'),
  ],
  [
    'a search needs something',
    'voice-0',
    (code) => `search_voice_library()\n${code}`,
    both('execution_error'),
  ],
  [
    'by name, a list of one',
    'voice-0',
    (code) =>
      `${code}assert search_voice_library("Emma", "old") == [{"voice_name": "Emma", "category": "conversational", "gender": "feminine"}]`,
    both('passed'),
  ],
  [
    'by another name, nothing',
    'voice-0',
    (code) => `${code}assert search_voice_library("Nobody") is None`,
    both('passed'),
  ],
  [
    'a speech is an object of its class',
    'voice-3',
    (code) =>
      `${code}assert isinstance(user_variable_0_load, Speech) and user_variable_0_load.duration == 16.0`,
    both('passed'),
  ],
  [
    'RESULT that is none of the values',
    'voice-3',
    (code) => `${code}RESULT = search_voice_library`,
    both('result_error'),
  ],
])('%s', async (_, id, change, verdicts) => {
  const c = caseOf(id)
  expect(await verdictsOf(c, change(c.task.tests[0]!.program))).toEqual(verdicts)
})
