/** A set from the outcomes of a build's programs: what is kept, drawn by the build's seed, and the folder's files. */
import type { BuildOptions, Case, GenerateResult, Manifest } from '@stateeval/contracts'
import { generatorVersion } from '@stateeval/generate'
import { artifactsIn, type Benchmark, measure, type Scenario } from '@stateeval/program'
import {
  casesFile,
  filterCounts,
  keep,
  lineOf,
  manifestOf,
  readmeOf,
  type ScenarioOutcomes,
  statisticsOf,
} from '../flows/manifest.ts'
import type { ProgramOutcome } from '../flows/program-flow.ts'
import { generated, scenariosOf } from './generated.ts'
import type { Cached } from '../memory.ts'
import type { BuildOwner } from './owner.ts'
import type { BaselineChecks } from './self-check.ts'
import type { ItemEnds } from './stage.ts'

/** What a set is put together with. */
export interface SetSources extends Cached, ItemEnds, BaselineChecks {
  scenarios: readonly Scenario[]
  benchmark(id: string): Benchmark
}
import { storeBaselineCheck } from './self-check.ts'

export interface AssembledSet {
  manifest: Manifest
  lines: string[]
  ids: string[]
  readme: string
}

const measured = async (c: Case, { languages: [language = 'javascript'] }: BuildOptions): Promise<Case> => ({
  ...c,
  metrics: { ...(await measure(c.program, { language, instruction: c.instruction })) },
})

/** The set, with its baseline check known; null where no program passed. `outcomes` are those of all programs, in order. */
export async function assemble(
  context: SetSources,
  owner: BuildOwner,
  outcomes: readonly ProgramOutcome[],
): Promise<AssembledSet | null> {
  const { build } = owner
  const parts: ScenarioOutcomes[] = []
  for (const [at, { scenario, first, count }] of (owner.sets ?? []).entries()) {
    const { statistics }: GenerateResult = await generated(context, owner, at)
    const { dropped: drawnAgain, apis, feasible } = statistics
    parts.push({ scenario, outcomes: outcomes.slice(first, first + count), drawnAgain, apis, feasible })
  }
  const kept: Case[] = []
  for (const part of parts) for (const c of keep(part, build)) kept.push(await measured(c, build))
  if (kept.length === 0) return null
  const lines = kept.map(lineOf)
  const about = {
    benchmark: owner.benchmark,
    versions: {
      [`benchmark ${owner.benchmark}`]: context.benchmark(owner.benchmark).version,
      generator: generatorVersion,
      ...Object.fromEntries(
        scenariosOf(context, build).map(({ id, version }) => [`scenario ${id}`, version]),
      ),
    },
    seed: build.seed,
    options: { ...build },
    counts: {
      generated: outcomes.length,
      passed: outcomes.filter(({ status }) => status === 'passed').length,
      kept: kept.length,
    },
    filtered: parts.flatMap(filterCounts),
    statistics: parts.map((part) =>
      statisticsOf(
        part,
        kept.filter((c) => c.scenario === part.scenario),
      ),
    ),
  }
  const files = { 'cases.jsonl': casesFile(lines), 'README.md': readmeOf(about) }
  const manifest = manifestOf(about, files, artifactsIn(kept).sort())
  // Every oracle was replayed just now, in each language, so the baseline check of this set is known here.
  const passed = outcomes.filter((outcome) => outcome.status === 'passed')
  const runtimes = [
    ...new Set(passed.flatMap((outcome) => (outcome.status === 'passed' ? outcome.runtimes : []))),
  ]
  const [runtime] = runtimes
  if (runtime !== undefined && runtimes.length === 1)
    for (const language of build.languages)
      await storeBaselineCheck(context, {
        manifest: manifest.id,
        language,
        runtime,
        cases: kept.length,
        failed: [],
      })
  return { manifest, lines, ids: kept.map(({ id }) => id), readme: files['README.md'] }
}
