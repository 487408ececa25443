/**
 * A certificate, made on one installation and reproduced on another, which shares nothing with it but the
 * file and the benchmark's folder. With STATEEVAL_LONG: everything is measured twice.
 */
import { generateKeyPairSync } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Certificate } from '@stateeval/contracts'
import { isLong, type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'

const whenLong = isLong ? test : test.skip
const sample = (kind: string) => join(import.meta.dirname, `../benchmarks/${kind}/sample`)
let folder = ''
let line: CommandLine | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-certificates-'))
})
afterAll(async () => {
  await line?.stop()
  await rm(folder, { recursive: true })
})

/** Another installation in place of the one before. */
async function elsewhere(): Promise<void> {
  await line?.stop()
  line = await startCommandLine()
}

const path = (name: string) => join(folder, name)
const pem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })

whenLong('a certificate is made, checked, changed and reproduced elsewhere', async () => {
  await elsewhere()
  await writeFile(path('key.pem'), pem())
  await writeFile(path('other.pem'), pem())
  const answers = path('answers.jsonl')
  const [first = ''] = (await readFile(join(sample('stateeval'), 'cases.jsonl'), 'utf8')).split('\n')
  const { id } = JSON.parse(first) as { id: string }
  await writeFile(answers, `${JSON.stringify({ case: id, answer: 'no idea' })}\n`)
  const benchmark = ['--benchmark', sample('stateeval')]
  expect(await stateeval('evaluate', ...benchmark, '--answers', answers)).toMatchObject({ code: 0 })
  const file = path('certificate.json')
  const key = ['--key', path('key.pem')]
  const options = [...key, '--samples', '2', '--out', file, '--json']
  const { code, err, value } = await stateeval('certify', sample('stateeval'), ...options)
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  const { statement } = value as Certificate
  const { kept } = statement.benchmark.counts
  for (const replay of statement.replay) expect(replay).toMatchObject({ cases: kept, passed: kept })
  expect(statement.mutation).toMatchObject({ disputed: 0, score: expect.any(Number) })
  expect(statement.roundTrip).toMatchObject({ cases: kept, verified: kept })
  expect(statement.failedByAll).toMatchObject({ models: [{ model: 'answers' }], cases: [id] })

  await elsewhere()
  const reproduced = await stateeval('verify', file, ...key, ...benchmark, '--reproduce')
  expect([reproduced.code, reproduced.err]).toEqual([0, expect.anything()])
  expect(reproduced.out).toContain('This suite reproduced all figures except those of models.')

  const bytes = await readFile(file)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  await writeFile(path('flipped.json'), bytes)
  expect(await stateeval('verify', path('flipped.json'))).toMatchObject({ code: 1 })
  const byOther = await stateeval('verify', file, '--key', path('other.pem'))
  expect([byOther.code, byOther.err]).toEqual([1, expect.stringContaining('is not the key that you named')])

  await cp(sample('stateeval'), path('benchmark'), { recursive: true })
  const cases = await readFile(path('benchmark/cases.jsonl'), 'utf8')
  await writeFile(path('benchmark/cases.jsonl'), cases.replace('RESULT', 'RESULTS'))
  const changed = await stateeval('verify', file, '--benchmark', path('benchmark'))
  expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('cases.jsonl was changed')])
})

whenLong('kinds without programs or without a key', async () => {
  const refused = await stateeval('certify', sample('wapiibench'))
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('openssl genpkey')])
  const out = path('wapiibench.json')
  const options = ['--key', path('key.pem'), '--samples', '1', '--out', out, '--json']
  const { code, value } = await stateeval('certify', sample('wapiibench'), ...options)
  expect([code, (value as Certificate).statement.roundTrip]).toEqual([0, null])
  const { out: text } = await stateeval('verify', out, '--benchmark', sample('wapiibench'), '--reproduce')
  expect(text).toContain('Round trip: this kind has no programs')
})
