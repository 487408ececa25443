/** From a model of an API to scored answers, with the command line alone. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Case, Report } from '@stateeval/contracts'
import { type CommandLine, pickForRun, startCommandLine, stateeval } from '@stateeval/testkit'

let line: CommandLine
beforeAll(async () => {
  line = await startCommandLine()
})
afterAll(() => line?.stop())

async function run(...args: string[]): Promise<unknown> {
  const { code, err, value } = await stateeval(...args, '--json')
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  return value
}
const model = join(import.meta.dirname, '../scenarios/session-service/world.json')

test('a model becomes a set, whose reference passes in both languages, and a wrong answer fails', async () => {
  const folder = join(line.scratch, 'set')
  const sizes = ['--programs', '5', '--keep', '5', '--languages', 'javascript']
  await run('build', '--world', model, ...sizes, '--out', folder)
  const cases = (await readFile(join(folder, 'cases.jsonl'), 'utf8')).trim().split('\n')
  expect(cases.length).toBe(5)
  // The build has run it in JavaScript, twice.
  for (const language of pickForRun(['python'], ['javascript', 'python'])) {
    const named = ['--benchmark', folder, '--model', 'reference', '--language', language]
    const report = (await run('evaluate', ...named)) as Report
    expect(report.result.overall).toMatchObject({ passed: 5, scored: 5 })
    expect(report.result.groups['scenario']).toMatchObject([{ name: 'world-7c28b935062c (modelled)' }])
  }
  const answers = join(line.scratch, 'answers.jsonl')
  const answer = '```javascript\nRESULT = {};\n```'
  const lines = cases.map((text) => JSON.stringify({ case: (JSON.parse(text) as Case).id, answer }))
  await writeFile(answers, `${lines.join('\n')}\n`)
  const wrong = (await run('evaluate', '--benchmark', folder, '--answers', answers)) as Report
  expect(wrong.result.overall).toMatchObject({ passed: 0, scored: 5 })

  const [stored] = (await run('list', 'worlds')) as [{ digest: string; operations: number }]
  const text = await readFile(model, 'utf8')
  expect(await run('world', 'pull', stored.digest)).toEqual(JSON.parse(text))
  expect(await run('world', 'push', model)).toEqual(stored)
  await run('delete', stored.digest, '--yes')
  expect(await stateeval('world', 'pull', stored.digest)).toMatchObject({
    code: 2,
    err: expect.stringContaining('`npx stateeval world push FILE`'),
  })
  // The set holds the model.
  const again = (await run(
    'evaluate',
    '--benchmark',
    folder,
    '--answers',
    answers,
    '--samples',
    '2',
  )) as Report
  expect(again.result.overall).toMatchObject({ passed: 0, scored: 10 })
})
