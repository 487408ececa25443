/** What is committed as measured was measured with the generator that is here, and is what the page says. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { generatorVersion } from '@stateeval/generate'
import { document } from './document.ts'
import type { BenchResult } from './result.ts'

const folder = join(import.meta.dirname, 'results')
const results = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as BenchResult)

/** These are about the programs that are generated. */
const ofPrograms = ['complexity', 'coverage', 'generation', 'mistakes']

test('results about programs are of this version of the generator; else: npm run perf -- NAME', () => {
  const programResults = results.filter(({ name }) => ofPrograms.includes(name))
  expect(programResults.length).toBeGreaterThan(0)
  expect(programResults.map(({ name, generatorVersion: version }) => `${name}: ${version}`)).toEqual(
    programResults.map(({ name }) => `${name}: ${generatorVersion}`),
  )
})

test('docs/performance.md shows these results', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/performance.md'), 'utf8')).toBe(document(results))
})
