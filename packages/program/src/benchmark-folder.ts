/**
 * A benchmark as a folder: its manifest and files, and the check of an imported folder against its hashes.
 */
import {
  type BenchmarkFolder,
  canonicalJson,
  computeContentId,
  type Manifest,
  manifestSchema,
  ProblemError,
  sha256,
} from '@stateeval/contracts'
import type { Benchmark } from './benchmark.ts'
import type { BuiltSet } from './build.ts'
import { resolveTensors } from './tensor/index.ts'

/**
 * A set of test cases: its folder's metadata, the lines of cases.jsonl, and the ids of the cases in order.
 */
export interface BenchmarkSet {
  manifest: Manifest
  lines: readonly string[]
  ids: readonly string[]
  readme: string
}

/** Extracts, from a dataset card, the set's own README below the metadata. */
function extractOwnReadme(card: string, { files }: Manifest): string {
  const own = /^---\n[^]*?\n---\n/.exec(card)
  const below = own ? card.slice(own[0].length) : card
  return sha256(below) === files['README.md'] ? below : card
}

/** The set of these cases. `artifacts` are the hashes that the cases name; each is a file in the folder. */
export function buildBenchmarkSet(
  benchmark: Pick<Benchmark, 'kind' | 'parse'>,
  { lines, readme, about, artifacts }: BuiltSet,
): BenchmarkSet {
  const files = { 'cases.jsonl': formatCasesFile(lines), 'README.md': readme }
  return {
    manifest: buildManifest({ kind: benchmark.kind, ...about }, files, artifacts),
    lines,
    ids: lines.map((line) => benchmark.parse(line).id),
    readme,
  }
}

const formatCasesFile = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
/** The text of manifest.json in the folder. */
export const formatManifest = (manifest: Manifest) =>
  `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`

function buildManifest(
  parts: Omit<Manifest, 'schema' | 'digest' | 'files'>,
  files: Readonly<Record<string, string>>,
  artifacts: readonly string[],
): Manifest {
  const rest = {
    schema: manifestSchema,
    ...parts,
    files: Object.fromEntries([
      ...Object.entries(files).map(([name, text]) => [name, sha256(text)]),
      ...artifacts.map((hash) => [`artifacts/${hash}`, hash]),
    ]) as Record<string, string>,
  }
  return { ...rest, digest: computeContentId(rest) }
}

/** The digest that a manifest should have. */
export function computeManifestDigest({ digest: _, ...rest }: Manifest): string {
  return computeContentId(rest)
}

const createTornFileError = (file: string, says: string, field: string) =>
  new ProblemError('unprocessable', `${file} ${says}; copy the folder again from its source`, field)

const asTensors =
  'write it as safetensors with one tensor named tensor, of finite numbers and of the dtype and shape that the case specifies, and name it by its SHA-256'

const asFile = 'put it into artifacts/, under its SHA-256, and name it in the files of manifest.json'

/** The lines and ids of cases.jsonl. Throws a problem that names the faulty file and line. */
export function readBenchmarkFolder(
  { manifest, cases, readme: card, artifacts = {} }: BenchmarkFolder,
  find: (id: string) => Benchmark | null,
): { lines: string[]; ids: string[]; artifacts: Buffer[]; readme: string } {
  if (computeManifestDigest(manifest) !== manifest.digest)
    throw createTornFileError(
      'manifest.json',
      'is damaged: its digest is not the hash of its contents',
      '/manifest/digest',
    )
  const benchmark = find(manifest.kind)
  if (!benchmark)
    throw new ProblemError(
      'unprocessable',
      `manifest.json is of the kind ${JSON.stringify(manifest.kind)}, which this version does not support`,
      '/manifest/kind',
    )
  const expect = (file: string, data: string | Uint8Array, field: string) => {
    if (manifest.files[file] === undefined) throw createTornFileError(file, 'is not in the manifest', field)
    if (sha256(data) !== manifest.files[file])
      throw createTornFileError(file, 'is damaged: its hash differs from the manifest', field)
  }
  expect('cases.jsonl', cases, '/cases')
  const readme = card === undefined ? undefined : extractOwnReadme(card, manifest)
  if (readme !== undefined) expect('README.md', readme, '/readme')
  else if (manifest.files['README.md'] !== undefined)
    throw createTornFileError('README.md', 'is missing', '/readme')
  const files = new Map<string, Buffer>()
  for (const [hash, text] of Object.entries(artifacts)) {
    const bytes = Buffer.from(text, 'base64')
    if (sha256(bytes) !== hash)
      throw createTornFileError(
        `artifacts/${hash}`,
        'is damaged: its hash differs from its name',
        `/artifacts/${hash}`,
      )
    if (manifest.files[`artifacts/${hash}`] === undefined)
      throw createTornFileError(`artifacts/${hash}`, 'is not in the manifest', `/artifacts/${hash}`)
    files.set(hash, bytes)
  }
  const missing = Object.keys(manifest.files).find(
    (file) => file.startsWith('artifacts/') && artifacts[file.slice('artifacts/'.length)] === undefined,
  )
  if (missing) throw createTornFileError(missing, 'is missing', '/artifacts')
  const lines = cases.split('\n').filter((line) => line !== '')
  if (lines.length !== manifest.counts.kept)
    throw createTornFileError(
      'cases.jsonl',
      `has ${lines.length} ${lines.length === 1 ? 'case' : 'cases'} where the manifest counts ${manifest.counts.kept} (counts.kept)`,
      '/cases',
    )
  const ids = lines.map((line, at) => {
    const bad = (says: string, field: string) =>
      new ProblemError('unprocessable', `cases.jsonl, line ${at + 1}: ${says}`, field)
    let testCase
    try {
      testCase = benchmark.parse(line)
    } catch (error) {
      throw bad(error instanceof Error ? error.message : String(error), '/cases')
    }
    // Execution would refuse the run of such a case: the fault is reported here.
    const unnamed = 'artifacts' in testCase && testCase.artifacts?.find((hash) => !files.has(hash))
    if (unnamed)
      throw bad(
        `the artifact ${unnamed}, which the case names, is missing; ${asFile}`,
        `/artifacts/${unnamed}`,
      )
    const tensors = resolveTensors(testCase, (hash) => files.get(hash))
    if (!tensors.ok) throw bad(`${tensors.says}; ${asTensors}`, `/artifacts/${tensors.artifact}`)
    return testCase.id
  })
  const seen = new Set<string>()
  const twice = ids.find((id) => seen.has(id) || !seen.add(id))
  if (twice !== undefined)
    throw new ProblemError('unprocessable', `cases.jsonl has the case ${twice} twice`, '/cases')
  return { lines, ids, artifacts: [...files.values()], readme: readme ?? '' }
}
