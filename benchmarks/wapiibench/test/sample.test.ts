/**
 * The folder `sample` is the benchmark that its own tasks and specification make; STATEEVAL_UPDATE_GOLDEN=1
 * writes it anew.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type Manifest, computeContentId, sha256 } from '@stateeval/contracts'
import { styles } from '../emit/styles.ts'
import { scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases, sampleFolder, sampleSet } from './sample.ts'

function folder(): Record<string, string> {
  const { lines, artifacts, about, readme } = sampleSet
  const files: Record<string, string> = {
    'README.md': readme,
    'cases.jsonl': lines.map((line) => `${line}\n`).join(''),
    ...Object.fromEntries(
      Object.entries(artifacts).map(([hash, bytes]) => [
        `artifacts/${hash}`,
        new TextDecoder().decode(bytes),
      ]),
    ),
  }
  const hashes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, sha256(text)]))
  const rest: Omit<Manifest, 'digest'> = { schema: 2, kind: 'wapiibench', ...about, files: hashes }
  return {
    ...files,
    'manifest.json': `${JSON.stringify({ ...rest, digest: computeContentId(rest) }, null, 2)}\n`,
  }
}

test('the folder is what its tasks and specification make', () => {
  const files = folder()
  if (process.env['STATEEVAL_UPDATE_GOLDEN'] === '1') {
    rmSync(join(sampleFolder, 'artifacts'), { recursive: true, force: true })
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(sampleFolder, name)), { recursive: true })
      writeFileSync(join(sampleFolder, name), text)
    }
  }
  for (const [name, text] of Object.entries(files)) {
    const content = readFileSync(join(sampleFolder, name), 'utf8')
    if (name.endsWith('manifest.json')) expect(JSON.parse(content)).toEqual(JSON.parse(text))
    else expect(content).toBe(text)
  }
})
test.each(styles.map((style) => [style.name, style] as const))('its ground truth as %s', async (_, style) => {
  for (const c of sampleCases) {
    const { policies } = await scoreOf(sampleBenchmark, c, style.write(c.task.config))
    for (const policy of style.soundOnly ? ['sound'] : ['published', 'sound'])
      expect([c.id, policy, policies![policy]]).toEqual([
        c.id,
        policy,
        expect.objectContaining({
          passed: true,
          differences: expect.not.arrayContaining([expect.objectContaining({ where: 'endpoint' })]),
        }),
      ])
  }
})
