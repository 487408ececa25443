/** What the recorded runs are: read by the test, written by record.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, Observation } from '@stateeval/contracts'
import type { Label } from './labelled.ts'

export interface RecordedFailure {
  name: string
  case: number
  cause: Label
  kind: string
  code: string
  observations: Observation[]
}
export interface RecordedMutant {
  operator: string
  site: string
  case: number
  code: string
  observations: Observation[]
}

const read = <T>(name: string): T[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
export const recordedCases = () => read<Case>('cases.jsonl')
export const recordedFailures = () => read<RecordedFailure>('failures.jsonl')
export const recordedMutants = () => read<RecordedMutant>('mutants.jsonl')
