/**
 * Finds the APIs of a case: the tools that it brings, or the library that it shares; and examples for
 * its prompt.
 */
import type { BenchmarkHost } from '@stateeval/program'
import type { SolvedExample, NestfulCase } from './case.ts'
import { type ApiSpecification, readApi, type ApiLibrary } from './dataset/library.ts'
import type { RunTool } from './functions/run.ts'
import { readWhole } from './python/read.ts'
import { isDict, getPyMember, type PyValue, formatPyStr } from './python/value.ts'

export interface CaseApis {
  /** APIs by name. */
  apis: ReadonlyMap<string, ApiSpecification>
  examples: readonly SolvedExample[]
}
export interface ApisOf {
  (c: NestfulCase): CaseApis
}

const maxKept = 16

/** Looks APIs up; libraries that were read last are kept, as many cases share one. */
export function createApiFinder(host: BenchmarkHost): ApisOf {
  const libraries = new Map<string, CaseApis>()
  const caseApis = new WeakMap<NestfulCase, CaseApis>()
  const library = (hash: string): CaseApis => {
    const entry = libraries.get(hash)
    if (entry) return entry
    const { apis, examples } = loadJsonArtifact(host, hash) as ApiLibrary
    const result = { apis: new Map(apis.map((api) => [api.name, api])), examples }
    if (libraries.size >= maxKept) libraries.delete(libraries.keys().next().value!)
    libraries.set(hash, result)
    return result
  }
  return (c) => {
    const entry = caseApis.get(c)
    if (entry) return entry
    // Those of a scenario name its model at most.
    const [shared] = c.task.form === 'scenario' ? [] : (c.artifacts ?? [])
    const base =
      shared === undefined ? { apis: new Map<string, ApiSpecification>(), examples: [] } : library(shared)
    const { tools, examples = base.examples } = c.task
    const apis =
      tools === undefined
        ? base.apis
        : indexApis((readWhole(tools) as PyValue[]).map((tool) => readApi(tool)))
    const result = { apis, examples }
    caseApis.set(c, result)
    return result
  }
}

/** Indexes APIs by name; the first of several with one name counts, as in the released code. */
function indexApis(apis: readonly ApiSpecification[]): Map<string, ApiSpecification> {
  const map = new Map<string, ApiSpecification>()
  for (const api of apis) if (!map.has(api.name)) map.set(api.name, api)
  return map
}

/** Python sources of the case's functions, by name, where the set was imported with them. */
export function loadPythonSources(
  host: BenchmarkHost,
  c: NestfulCase,
): Readonly<Record<string, string>> | null {
  const hash = c.task.form === 'v2' ? c.artifacts?.[1] : undefined
  return hash === undefined ? null : (loadJsonArtifact(host, hash) as Record<string, string>)
}

function loadJsonArtifact(host: BenchmarkHost, hash: string): unknown {
  const bytes = host.artifact?.(hash)
  if (!bytes) throw new Error(`the artifact ${hash} is not loaded`)
  return JSON.parse(new TextDecoder().decode(bytes))
}

export const runTools = (apis: ReadonlyMap<string, ApiSpecification>): RunTool[] =>
  [...apis.values()].map(({ name, parameters, shown }) => ({
    name,
    parameters: Object.keys(parameters),
    outputs: splitOutputNames(shown),
  }))

/** The declared outputs, without parts of them; a name may have a dot. */
function splitOutputNames(shown: string): string[] {
  const outputs = getPyMember(readWhole(shown), 'output_parameters')
  return isDict(outputs) ? [...outputs.keys()].map(formatPyStr) : []
}
