/** Sets of test cases that come from elsewhere: an exported folder, published data, a seed. */
import {
  type BenchmarkFolder,
  type Dataset,
  getOwnMember,
  ProblemError,
  type SeededSet,
} from '@stateeval/contracts'
import {
  type Benchmark,
  type BenchmarkSet,
  buildBenchmarkSet,
  type DatasetSet,
  readBenchmarkFolder,
} from '@stateeval/program'
import { createCatalog } from './catalog.ts'

/** A set with the files that its cases name. */
export interface ImportedSet {
  set: BenchmarkSet
  artifacts: readonly Uint8Array[]
  /** Warnings about oddities that were accepted. */
  warnings: readonly string[]
}

/** The list of kinds as it is now: a plugin may add to it after this file is loaded. */
const findBenchmark = (kind: string, files: BenchmarkFolder['artifacts'] = {}) =>
  createCatalog((hash) => {
    const text = getOwnMember(files, hash)
    if (text === undefined) throw new Error(`the artifact ${hash} was not loaded`)
    return Buffer.from(text, 'base64')
  }).findBenchmark(kind)

export function setInFolder(folder: BenchmarkFolder): ImportedSet {
  const find = (kind: string) => findBenchmark(kind, folder.artifacts)
  const { lines, ids, artifacts, readme } = readBenchmarkFolder(folder, find)
  const { manifest } = folder
  return { set: { manifest, lines, ids, readme }, artifacts: artifacts.map(copyOwned), warnings: [] }
}

export function setOfDataset({ kind, files, strict = false }: Dataset): ImportedSet {
  const make = findBenchmark(kind)
  if (!make?.building?.fromDataset)
    throw new ProblemError(
      'unprocessable',
      `there is no published data for the kind ${JSON.stringify(kind)}`,
      '/kind',
    )
  const set = make.building.fromDataset(files)
  const [first] = set.warnings
  if (strict && first !== undefined)
    throw new ProblemError(
      'unprocessable',
      `${first}${set.warnings.length > 1 ? ` (and ${set.warnings.length - 1} more)` : ''}. Correct the data, or import without strict`,
      '/files',
    )
  return assembleImport(make, set)
}

export function setFromSeed({ kind, seed = 1, ...options }: SeededSet): ImportedSet {
  const make = findBenchmark(kind)
  if (!make?.building?.fromSeed)
    throw new ProblemError(
      'unprocessable',
      `there is no kind ${JSON.stringify(kind)} whose samples a seed makes`,
      '/kind',
    )
  const steps = make.building.fromSeed({ ...options, seed })
  let step = steps.next()
  while (!step.done) step = steps.next()
  return assembleImport(make, step.value)
}

function assembleImport(make: Benchmark, { artifacts, warnings, ...contents }: DatasetSet): ImportedSet {
  return {
    set: buildBenchmarkSet(make, { ...contents, artifacts: Object.keys(artifacts) }),
    artifacts: Object.values(artifacts).map(copyOwned),
    warnings: warnings ?? [],
  }
}

/** With memory of its own, which moves out of a thread. */
const copyOwned = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes)
