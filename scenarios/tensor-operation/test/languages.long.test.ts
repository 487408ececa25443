/**
 * Generated programs in the real sandbox: JavaScript on ONNX Runtime and Python on PyTorch end alike, and as
 * predicted.
 */
import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

interface Told {
  programs: number
  runs: number
  /** Why Python was left out; null where it was not. */
  missing: string | null
  differing: string[]
}

test('programs in both languages end alike, and as the reference evaluation predicts', async () => {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'both-languages.ts')],
    {
      env,
      maxBuffer: 2 ** 26,
    },
  )
  const { programs, runs, missing, differing } = JSON.parse(
    stdout.trim().split('\n').at(-1) as string,
  ) as Told
  if (missing !== null) console.log(`Python is skipped: ${missing}`)
  expect(differing.slice(0, 3)).toEqual([])
  expect(runs).toBeGreaterThanOrEqual(programs)
})
