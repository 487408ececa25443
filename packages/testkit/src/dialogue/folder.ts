/** Dialogues as a benchmark folder for import. */
import { type BenchmarkFolder, computeContentId, type Manifest, sha256 } from '@stateeval/contracts'
import { type DialogueCase, lineOf } from './case.ts'

export function folderOf(cases: readonly DialogueCase[]): BenchmarkFolder {
  const text = cases.map((c) => `${lineOf(c)}\n`).join('')
  const about: Omit<Manifest, 'digest'> = {
    schema: 2,
    kind: 'dialogue',
    versions: { dialogue: '1' },
    seed: 1,
    options: {},
    counts: { generated: cases.length, passed: cases.length, kept: cases.length },
    filtered: [],
    statistics: [],
    files: { 'cases.jsonl': sha256(text) },
  }
  return { manifest: { ...about, digest: computeContentId(about) }, cases: text }
}
