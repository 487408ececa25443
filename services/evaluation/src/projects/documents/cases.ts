/**
 * Sets from outside. Each line is a case of its kind, and the document that ends a set is taken only if all
 * of its lines are there and have the hash that the manifest names.
 */
import { createHash } from 'node:crypto'
import {
  type BenchmarkCase,
  isRecord,
  listCaseArtifacts,
  listWorldArtifacts,
  type Manifest,
  ProblemError,
  sha256,
} from '@stateeval/contracts'
import { type Benchmark, resolveTensors } from '@stateeval/program'
import type { ArtifactCache } from '@stateeval/service-kit'
import type { OwnerStore } from '@stateeval/jobs'
import type { BenchmarkSets } from '@stateeval/sets'
import { throwDocumentFault, StrayDocument } from '@stateeval/administration'

export interface CaseChecks {
  owners: Pick<OwnerStore, 'benchmark'>
  sets: Pick<BenchmarkSets, 'line'>
  artifactCache: Pick<ArtifactCache, 'use'>
  findBenchmark: (kind: string) => Benchmark | null
}

async function requireSet(
  { owners }: CaseChecks,
  id: string,
): Promise<{ set: string; part: string; manifest: Manifest }> {
  const [, set = '', part = ''] = /^(bm_[0-9a-z]{1,64})\/(\d{7}|ids|readme)$/.exec(id) ?? []
  if (set === '') throwDocumentFault('', 'must have the id of a part of a set')
  const manifest = (await owners.benchmark(set))?.manifest
  if (!manifest) throw new StrayDocument()
  return { set, part, manifest }
}

export async function checkCase(context: CaseChecks, id: string, value: unknown): Promise<string> {
  if (typeof value !== 'string') throwDocumentFault('', 'must be a text')
  const { set, part, manifest } = await requireSet(context, id)
  if (part === 'ids') await checkIds(context, set, manifest, value)
  else if (part === 'readme') {
    const named = manifest.files['README.md']
    if (named === undefined ? value !== '' : sha256(value) !== named)
      throwDocumentFault('', 'differs from the README.md of the manifest')
  } else if (Number(part) >= manifest.counts.kept)
    throwDocumentFault('', `is no part of the set ${set}, which has ${manifest.counts.kept} cases`)
  else await checkLine(context, manifest, value)
  return value
}

function parseCaseLine({ findBenchmark }: CaseChecks, { kind }: Manifest, line: string) {
  const benchmark = findBenchmark(kind)
  if (!benchmark)
    throwDocumentFault('', `is of the kind ${JSON.stringify(kind)}, which this version does not have`)
  try {
    return benchmark.parse(line)
  } catch (error) {
    throwDocumentFault(
      error instanceof ProblemError ? (error.field ?? '') : '',
      String((error as Error).message),
    )
  }
}

/** What a line is parsed with: the model of its scenario. */
function listLineArtifacts(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line)
    const scenario = isRecord(value) ? value['scenario'] : undefined
    return typeof scenario === 'string' ? listWorldArtifacts(scenario) : []
  } catch {
    // The parser names the fault.
    return []
  }
}

async function checkLine(context: CaseChecks, manifest: Manifest, line: string): Promise<void> {
  try {
    const testCase = await context.artifactCache.use(listLineArtifacts(line), () =>
      parseCaseLine(context, manifest, line),
    )
    await context.artifactCache.use(listCaseArtifacts(testCase), (files) => {
      const tensors = resolveTensors(testCase, (hash) => files.get(hash))
      if (!tensors.ok) throwDocumentFault('/artifacts', tensors.says)
    })
  } catch (error) {
    throw error instanceof ProblemError ? throwDocumentFault('/artifacts', error.message) : error
  }
}

async function checkIds(context: CaseChecks, set: string, manifest: Manifest, text: string): Promise<void> {
  const { kept } = manifest.counts
  const hash = createHash('sha256')
  const ids: string[] = []
  for (let n = 0; n < kept; n++) {
    const line = await context.sets.line(set, n).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      return throwDocumentFault('', `ends a set whose case ${n} is missing; restore its cases first`)
    })
    hash.update(`${line}\n`)
    ids.push((JSON.parse(line) as BenchmarkCase).id)
  }
  if (hash.digest('hex') !== manifest.files['cases.jsonl'])
    throwDocumentFault('', 'ends a set whose cases differ from the cases.jsonl of the manifest')
  if (new Set(ids).size !== ids.length || text !== JSON.stringify(ids))
    throwDocumentFault('', 'must list the ids of its cases, in order')
}
