/** A set from the outcomes of a build's programs: the benchmark's build says what is kept, and the folder's files are made of that. */
import type { Manifest } from '@stateeval/contracts'
import { generatorVersion } from '@stateeval/generate'
import type { Benchmark, BuiltPart, Scenario } from '@stateeval/program'
import { casesFile, manifestOf } from '../flows/manifest.ts'
import type { ProgramOutcome } from '../flows/program-flow.ts'
import { buildOf } from './build-of.ts'
import { generated, scenariosOf } from './generated.ts'
import type { Cached } from '../memory.ts'
import type { BuildOwner } from './owner.ts'
import { type BaselineChecks, storeBaselineCheck } from './self-check.ts'
import type { ItemEnds } from './stage.ts'

/** What a set is put together with. */
export interface SetSources extends Cached, ItemEnds, BaselineChecks {
  scenarios: readonly Scenario[]
  benchmark(id: string): Benchmark
}

export interface AssembledSet {
  manifest: Manifest
  lines: string[]
  ids: string[]
  readme: string
}

/** The set, with its baseline check known; null where no program passed. `outcomes` are those of all programs, in order. */
export async function assemble(
  context: SetSources,
  owner: BuildOwner,
  outcomes: readonly ProgramOutcome[],
): Promise<AssembledSet | null> {
  const { build: options } = owner
  const { benchmark, build } = buildOf(context, owner.benchmark)
  const parts: BuiltPart[] = []
  for (const [at, { scenario, first, count }] of (owner.sets ?? []).entries()) {
    const { statistics: generation } = await generated(context, owner, at)
    parts.push({ scenario, ends: outcomes.slice(first, first + count), generation })
  }
  const set = await build.assemble(parts, options, {
    generator: generatorVersion,
    ...Object.fromEntries(
      scenariosOf(context, options).map(({ id, version }) => [`scenario ${id}`, version]),
    ),
  })
  if (!set) return null
  const { lines, readme, artifacts, about } = set
  const files = { 'cases.jsonl': casesFile(lines), 'README.md': readme }
  const manifest = manifestOf({ benchmark: owner.benchmark, ...about }, files, artifacts)
  // Every oracle was replayed just now, in each language, so the baseline of this set is known here.
  const runtimes = [
    ...new Set(outcomes.flatMap((outcome) => (outcome.status === 'passed' ? outcome.runtimes : []))),
  ]
  const [runtime] = runtimes
  if (runtime !== undefined && runtimes.length === 1)
    for (const language of options.languages)
      await storeBaselineCheck(context, {
        manifest: manifest.id,
        language,
        runtime,
        cases: lines.length,
        failed: [],
      })
  return { manifest, lines, ids: lines.map((line) => benchmark.parse(line).id), readme }
}
