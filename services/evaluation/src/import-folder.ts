/** A benchmark folder from outside: every file is held against its hash, every case is parsed. The problem names the file. */
import { type BenchmarkFolder, ProblemError, sha256 } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import { resolveTensors } from '@stateeval/program'
import { idOf } from './flows/manifest.ts'

const torn = (file: string, says: string, field: string) =>
  new ProblemError('unprocessable', `${file} ${says}; take the folder from where it was made again`, field)

const asTensors =
  'write it as safetensors with one tensor named tensor, of finite numbers and of the dtype and shape that the case says, and name it by its SHA-256'

const asFile = 'put it into artifacts/, under its SHA-256, and name it in the files of manifest.json'

/** The lines and ids of cases.jsonl. Throws a problem that names the file, and the line, at fault. */
export function readFolder(
  { manifest, cases, readme, artifacts = {} }: BenchmarkFolder,
  find: (id: string) => Benchmark | null,
): { lines: string[]; ids: string[]; artifacts: Buffer[] } {
  if (idOf(manifest) !== manifest.id)
    throw torn('manifest.json', 'is torn: its id is not the hash of its contents', '/manifest/id')
  const benchmark = find(manifest.benchmark)
  if (!benchmark)
    throw new ProblemError(
      'unprocessable',
      `manifest.json is of the benchmark ${JSON.stringify(manifest.benchmark)}, which this version does not know`,
      '/manifest/benchmark',
    )
  const expect = (file: string, data: string | Uint8Array, field: string) => {
    if (manifest.files[file] === undefined) throw torn(file, 'is not in the manifest', field)
    if (sha256(data) !== manifest.files[file])
      throw torn(file, 'is torn: its bytes have another hash than the manifest says', field)
  }
  expect('cases.jsonl', cases, '/cases')
  if (readme !== undefined) expect('README.md', readme, '/readme')
  else if (manifest.files['README.md'] !== undefined) throw torn('README.md', 'is missing', '/readme')
  const files = new Map<string, Buffer>()
  for (const [hash, text] of Object.entries(artifacts)) {
    const bytes = Buffer.from(text, 'base64')
    if (sha256(bytes) !== hash)
      throw torn(
        `artifacts/${hash}`,
        'is torn: its bytes have another hash than its name says',
        `/artifacts/${hash}`,
      )
    if (manifest.files[`artifacts/${hash}`] === undefined)
      throw torn(`artifacts/${hash}`, 'is not in the manifest', `/artifacts/${hash}`)
    files.set(hash, bytes)
  }
  const missing = Object.keys(manifest.files).find(
    (file) => file.startsWith('artifacts/') && artifacts[file.slice('artifacts/'.length)] === undefined,
  )
  if (missing) throw torn(missing, 'is missing', '/artifacts')
  const lines = cases.split('\n').filter((line) => line !== '')
  if (lines.length !== manifest.counts.kept)
    throw torn(
      'cases.jsonl',
      `has ${lines.length} ${lines.length === 1 ? 'case' : 'cases'} where the manifest counts ${manifest.counts.kept} (counts.kept)`,
      '/cases',
    )
  const ids = lines.map((line, at) => {
    const bad = (says: string, field: string) =>
      new ProblemError('unprocessable', `cases.jsonl, line ${at + 1}: ${says}`, field)
    let parsed
    try {
      parsed = benchmark.parse(line)
    } catch (error) {
      throw bad(error instanceof Error ? error.message : String(error), '/cases')
    }
    // What a run would be refused for is told here.
    const unnamed = 'artifacts' in parsed && parsed.artifacts?.find((hash) => !files.has(hash))
    if (unnamed)
      throw bad(
        `the artifact ${unnamed}, which the case names, is missing; ${asFile}`,
        `/artifacts/${unnamed}`,
      )
    const tensors = resolveTensors(parsed, (hash) => files.get(hash))
    if (!tensors.ok) throw bad(`${tensors.says}; ${asTensors}`, `/artifacts/${tensors.artifact}`)
    return parsed.id
  })
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined)
    throw new ProblemError('unprocessable', `cases.jsonl has the case ${twice} twice`, '/cases')
  return { lines, ids, artifacts: [...files.values()] }
}
