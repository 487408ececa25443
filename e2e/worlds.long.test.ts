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
  const [programs, keep] = pickForRun([7, 5], [60, 40])
  const sizes = ['--programs', String(programs), '--keep', String(keep)]
  await run('build', '--world', model, ...sizes, '--languages', 'javascript,python', '--out', folder)
  const evaluated = async (...options: string[]) =>
    ((await run('evaluate', '--benchmark', folder, ...options)) as Report).result.overall
  for (const language of ['javascript', 'python'])
    expect(await evaluated('--model', 'reference', '--language', language)).toMatchObject({
      passed: keep,
      scored: keep,
    })
  expect(await evaluated('--model', 'reference', '--mode', 'tools')).toMatchObject({
    passed: keep,
    scored: keep,
  })
  const mutants = await evaluated('--model', 'mutant', '--samples', '2')
  expect(mutants).toMatchObject({ scored: 2 * keep })
  expect(mutants.passed).toBeLessThanOrEqual(pickForRun(0, 0.02 * 2 * keep))
})
