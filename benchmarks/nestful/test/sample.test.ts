/** The folder `sample` is the benchmark that its own files make; STATEEVAL_UPDATE_GOLDEN=1 writes it anew. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { buildBenchmarkSet, formatManifest } from '@stateeval/program'
import { sampleBenchmark, sampleFolder, sampleSet } from './sample.ts'

function folder(): Record<string, string> {
  const { lines, artifacts, readme } = sampleSet
  const { manifest } = buildBenchmarkSet(sampleBenchmark, { ...sampleSet, artifacts: Object.keys(artifacts) })
  return {
    'README.md': readme,
    'cases.jsonl': lines.map((line) => `${line}\n`).join(''),
    'manifest.json': formatManifest(manifest),
    ...Object.fromEntries(
      Object.entries(artifacts).map(([hash, bytes]) => [
        `artifacts/${hash}`,
        new TextDecoder().decode(bytes),
      ]),
    ),
  }
}

test('the folder is what its files make', () => {
  const files = folder()
  if (process.env['STATEEVAL_UPDATE_GOLDEN'] === '1') {
    rmSync(join(sampleFolder, 'artifacts'), { recursive: true, force: true })
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(sampleFolder, name)), { recursive: true })
      writeFileSync(join(sampleFolder, name), text)
    }
  }
  for (const [name, text] of Object.entries(files))
    expect([name, readFileSync(join(sampleFolder, name), 'utf8')]).toEqual([name, text])
})

test('nothing of the sample contradicts itself', () => expect(sampleSet.warnings).toEqual([]))
