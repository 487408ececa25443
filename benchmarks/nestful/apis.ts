/**
 * Finds the APIs of a case: the tools that it brings, or the library that it shares; and examples for
 * its prompt.
 */
import type { BenchmarkHost } from '@stateeval/program'
import type { Example, NestfulCase } from './case.ts'
import { type Api, apiOf, type Library } from './dataset/library.ts'
import type { RunTool } from './functions/run.ts'
import { readWhole } from './python/read.ts'
import { isDict, memberOf, type Py, str } from './python/value.ts'

export interface CaseApis {
  /** APIs by name. */
  apis: ReadonlyMap<string, Api>
  examples: readonly Example[]
}
export interface ApisOf {
  (c: NestfulCase): CaseApis
}

const maxKept = 16

/** Looks APIs up; libraries that were read last are kept, as many cases share one. */
export function makeApisOf(host: BenchmarkHost): ApisOf {
  const libraries = new Map<string, CaseApis>()
  const caseApis = new WeakMap<NestfulCase, CaseApis>()
  const library = (hash: string): CaseApis => {
    const entry = libraries.get(hash)
    if (entry) return entry
    const { apis, examples } = artifactOf(host, hash) as Library
    const result = { apis: new Map(apis.map((api) => [api.name, api])), examples }
    if (libraries.size >= maxKept) libraries.delete(libraries.keys().next().value!)
    libraries.set(hash, result)
    return result
  }
  return (c) => {
    const entry = caseApis.get(c)
    if (entry) return entry
    const [shared] = c.artifacts ?? []
    const base = shared === undefined ? { apis: new Map<string, Api>(), examples: [] } : library(shared)
    const { tools, examples = base.examples } = c.task
    const apis =
      tools === undefined ? base.apis : byName((readWhole(tools) as Py[]).map((tool) => apiOf(tool)))
    const result = { apis, examples }
    caseApis.set(c, result)
    return result
  }
}

/** Chooses the first of several with one name counts, as in the released code. */
function byName(apis: readonly Api[]): Map<string, Api> {
  const map = new Map<string, Api>()
  for (const api of apis) if (!map.has(api.name)) map.set(api.name, api)
  return map
}

/** Python sources of the case's functions, by name, where the set was imported with them. */
export function pythonSourcesOf(
  host: BenchmarkHost,
  c: NestfulCase,
): Readonly<Record<string, string>> | null {
  const hash = c.task.form === 'v2' ? c.artifacts?.[1] : undefined
  return hash === undefined ? null : (artifactOf(host, hash) as Record<string, string>)
}

function artifactOf(host: BenchmarkHost, hash: string): unknown {
  const bytes = host.artifact?.(hash)
  if (!bytes) throw new Error(`the artifact ${hash} is not loaded`)
  return JSON.parse(new TextDecoder().decode(bytes))
}

export const runTools = (apis: ReadonlyMap<string, Api>): RunTool[] =>
  [...apis.values()].map(({ name, parameters, shown }) => ({
    name,
    parameters: Object.keys(parameters),
    outputs: outputNames(shown),
  }))

/** The declared outputs, without parts of them; a name may have a dot. */
function outputNames(shown: string): string[] {
  const outputs = memberOf(readWhole(shown), 'output_parameters')
  return isDict(outputs) ? [...outputs.keys()].map(str) : []
}
