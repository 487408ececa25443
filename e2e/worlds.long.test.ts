/** Documents of APIs become models, sets and scored answers, as programs and as calls of tools. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Report } from '@stateeval/contracts'
import { type CommandLine, pickForRun, startCommandLine, stateeval } from '@stateeval/testkit'

let line: CommandLine
beforeAll(async () => {
  line = await startCommandLine()
})
afterAll(() => line?.stop())

async function run(...args: string[]): Promise<unknown> {
  const { code, err, value } = await stateeval(...args, '--json')
  expect([args[0], code, code === 0 ? '' : err]).toEqual([args[0], 0, ''])
  return value
}

const specs = join(process.env['STATEEVAL_DATASETS'] ?? '', 'specs')
const documents = pickForRun(['museum.yaml'], ['museum.yaml', 'gotify.json', 'petstore.yaml'])

test.each(documents)('%s', async (document) => {
  if (!existsSync(join(specs, document))) {
    console.info(`skipped: needs STATEEVAL_DATASETS with specs/${document}`)
    return
  }
  const [model, folder] = [join(line.scratch, `${document}.world.json`), join(line.scratch, document)]
  await run('world', 'infer', join(specs, document), '--out', model)
  const [programs, keep] = pickForRun([7, 5], [30, 20])
  const sizes = ['--programs', String(programs), '--keep', String(keep)]
  await run('build', '--world', model, ...sizes, '--languages', 'javascript,python', '--out', folder)
  const evaluated = async (...options: string[]) =>
    ((await run('evaluate', '--benchmark', folder, ...options)) as Report).result
  for (const options of [
    ['--language', 'javascript'],
    ['--language', 'python'],
    ['--mode', 'tools'],
  ]) {
    const { overall } = await evaluated('--model', 'reference', ...options)
    expect([options, overall]).toMatchObject([options, { passed: keep, scored: keep }])
  }
  const { mutation } = await evaluated('--model', 'mutant', '--samples', '2')
  expect(mutation).toMatchObject({ disputed: 0 })
  expect(mutation!.score).toBeGreaterThanOrEqual(pickForRun(1, 0.98))
})

test('other kinds are built from a model, too', async () => {
  const model = join(import.meta.dirname, '../scenarios/session-service/world.json')
  for (const kind of ['nestful', 'llm-only']) {
    const folder = join(line.scratch, kind)
    await run('build', '--world', model, '--kind', kind, '--programs', '3', '--keep', '3', '--out', folder)
    const { result } = (await run('evaluate', '--benchmark', folder, '--model', 'reference')) as Report
    expect([kind, result.overall.passed]).toEqual([kind, result.overall.scored])
    expect(result.overall.scored).toBeGreaterThan(0)
  }
})
