/** A folder whose files don't belong together is refused by name. */
import { expect, test } from '@jest/globals'
import { type Manifest, sha256 } from '@stateeval/contracts'
import { type Benchmark, toArtifact, writeSafetensors } from '@stateeval/program'
import { partial } from '@stateeval/testkit/partial'
import { computeManifestDigest, readBenchmarkFolder } from '../src/benchmark-folder.ts'

function folder(count: number, keptCount: number) {
  const cases = Array.from({ length: count }, (_, at) => `{"id":"c${at}"}\n`).join('')
  const manifest: Manifest = {
    schema: 2,
    digest: '',
    kind: 'stateeval',
    versions: {},
    seed: 1,
    options: {},
    counts: { generated: 9, passed: 9, kept: keptCount },
    filtered: [],
    statistics: [],
    files: { 'cases.jsonl': sha256(cases) },
  }
  return { manifest: { ...manifest, digest: computeManifestDigest(manifest) }, cases }
}
/** Cases that are JSON and nothing more. */
const parser = partial<Benchmark>({ parse: (line) => JSON.parse(line) as { id: string } })
const read = (count: number, keptCount: number) => readBenchmarkFolder(folder(count, keptCount), () => parser)

test('a set with fewer or more cases than its manifest counts is refused, with both numbers', () => {
  expect(read(2, 2).ids).toEqual(['c0', 'c1'])
  expect(() => read(2, 3)).toThrow('cases.jsonl has 2 cases where the manifest counts 3 (counts.kept)')
  expect(() => read(1, 0)).toThrow('cases.jsonl has 1 case where the manifest counts 0')
})

test('a case that names a file which is not there is refused, with what to do', () => {
  const cases = `${JSON.stringify({ id: 'c0', artifacts: ['f'.repeat(64)] })}\n`
  const { manifest } = folder(1, 1)
  const whole = { ...manifest, files: { 'cases.jsonl': sha256(cases) } }
  const from = { manifest: { ...whole, digest: computeManifestDigest(whole) }, cases }
  expect(() => readBenchmarkFolder(from, () => parser)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /^cases.jsonl, line 1: the artifact f{64}, which the case names, is missing; put it into artifacts/,
      ),
      field: `/artifacts/${'f'.repeat(64)}`,
    }),
  )
})

test.each<[string, Uint8Array, string]>([
  ['NaN', file([1, Number.NaN]), 'has a value that is not a finite number, at position 1'],
  ['an infinity', file([-Infinity, 1]), 'has a value that is not a finite number, at position 0'],
  ['another shape', file([1, 2, 3]), 'contains a float32 tensor of shape [3], not float32 of [2]'],
  ['another name', writeSafetensors({ other: tensorOf([1, 2]) }), 'contains no tensor named tensor'],
  ['no safetensors', Buffer.from('x'), 'not a valid safetensors file'],
])('a tensor’s file with %s is refused by its address', (_, bytes, says) => {
  const hash = sha256(bytes)
  const cases = `${JSON.stringify({ id: 'c0', world: { a: { $tensor: { dtype: 'float32', shape: [2], artifact: hash } } } })}\n`
  const { manifest } = folder(1, 1)
  const files = { 'cases.jsonl': sha256(cases), [`artifacts/${hash}`]: hash }
  const whole = { ...manifest, files }
  const from = {
    manifest: { ...whole, digest: computeManifestDigest(whole) },
    cases,
    artifacts: { [hash]: Buffer.from(bytes).toString('base64') },
  }
  expect(() => readBenchmarkFolder(from, () => parser)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(`cases.jsonl, line 1: the artifact ${hash} .*`),
      field: `/artifacts/${hash}`,
    }),
  )
  expect(() => readBenchmarkFolder(from, () => parser)).toThrow(says)
})
function tensorOf(numbers: number[]) {
  return {
    dtype: 'float32' as const,
    shape: [numbers.length],
    bytes: new Uint8Array(Float32Array.from(numbers).buffer),
  }
}
function file(numbers: number[]) {
  return toArtifact(tensorOf(numbers)).file
}
