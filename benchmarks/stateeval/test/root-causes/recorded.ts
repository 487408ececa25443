/** What the recorded runs are: read by the test, written by record.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, Language, Observation } from '@stateeval/contracts'
import type { Label } from './labelled.ts'

interface RecordedFailure {
  name: string
  case: number
  cause: Label
  kind: string
  /** JavaScript, unless it says so. */
  language?: Language
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
/** Failures in Python, with functions and with tools, and their cases. */
export const otherCases = () => read<Case>('other-cases.jsonl')
export const otherFailures = () => read<RecordedFailure>('other-failures.jsonl')
/** Mutants by the operators held out, of cases that no rule has seen. */
export const freshCases = () => read<Case>('fresh-cases.jsonl')
export const freshMutants = () => read<RecordedMutant>('fresh-mutants.jsonl')
