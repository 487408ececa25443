/** Contracts and the table of variables are what they are generated from. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { root } from './generated.ts'

const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
const check = (script: string) =>
  promisify(execFile)(process.execPath, [`scripts/${script}.ts`, '--check'], { cwd: root, env }).then(
    () => '',
    ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
  )

test('openapi/*.yaml say what the services say, are well-formed, and have a route file each', async () => {
  expect(await check('openapi')).toBe('')
}, 120_000)

test('docs/configuration.md lists every variable of every service', async () => {
  expect(await check('configuration')).toBe('')
})
