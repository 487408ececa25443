/** Our own sample in the forms of both versions: its files, and the set that they make. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { NestfulCase } from '../case.ts'
import { importNestful } from '../dataset/from-dataset.ts'
import { benchmarkOf } from './drive.ts'

export const sampleFolder = fileURLToPath(new URL('../sample', import.meta.url))
const names = [
  'v1/executable/executable-data.json',
  'v1/executable/executable-spec.json',
  'v2/nestful_data.jsonl',
  'v2/icl_examples.json',
]
export const sampleFiles = (): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(`${sampleFolder}/${name}`, 'utf8')]))

export const sampleSet = importNestful(sampleFiles())
export const sampleBenchmark = benchmarkOf(sampleSet.artifacts)
export const sampleCases: NestfulCase[] = sampleSet.lines.map((line) => sampleBenchmark.parse(line))
export const sampleCase = (id: string): NestfulCase => sampleCases.find((c) => c.id === id)!
