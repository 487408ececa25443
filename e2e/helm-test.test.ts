/**
 * The command of `helm test` runs against a suite on this machine, where no pod can run: all cases pass, and
 * a failure is one.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSuite, type Suite } from '@stateeval/testkit'
import { runProgram } from './command.ts'

const root = join(import.meta.dirname, '..')
const script = join(root, 'deploy/helm/stateeval/files/test.sh')
const long = process.env['STATEEVAL_LONG'] !== undefined
if (!long) console.info('skipped: the command of helm test is run by scripts/test --long')
const whenLong = long ? test : test.skip

let suite: Suite
beforeAll(async () => {
  if (long) suite = await startSuite()
})
afterAll(async () => suite?.stop())

const run = (url: string) =>
  runProgram('sh', [script], { STATEEVAL_CLI: join(root, 'apps/cli/src/main.ts'), STATEEVAL_URL: url })

whenLong('helm test passes on a suite that works, and fails where there is none', async () => {
  const fine = await run(suite.urls.evaluation!)
  expect(fine.text).toMatch(/100/)
  expect(fine.code).toBe(0)
  const away = await run('http://127.0.0.1:9')
  expect(away.code).not.toBe(0)
})
