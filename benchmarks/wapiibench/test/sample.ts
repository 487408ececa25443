/** Our own small API with its tasks, in the form of the published data. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TaskApi } from '../dataset/apis.ts'
import { buildTaskSet } from '../dataset/from-dataset.ts'
import { benchmarkOf } from './drive.ts'

export const library: TaskApi = { id: 'library', title: 'Library', tasks: 15 }
export const sampleFolder = join(import.meta.dirname, '../sample')
export const sampleFiles = (): Record<string, string> =>
  Object.fromEntries(
    ['tasks/library.json', 'specs/library.yaml'].map((file) => [
      file,
      readFileSync(join(sampleFolder, file), 'utf8'),
    ]),
  )
export const sampleSource = 'made up for tests and first steps: it is our own'
export const sampleSet = buildTaskSet([library], sampleFiles(), sampleSource)
export const sampleBenchmark = benchmarkOf(sampleSet.artifacts)
export const sampleCases = sampleSet.lines.map((line) => sampleBenchmark.parse(line))
