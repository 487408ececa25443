/** A build: generate (an item a scenario), then programs (an item a program), then the sample is drawn and stored. */
import type { BuildOptions, Case, GenerateResult } from '@stateeval/contracts'
import { generatorVersion } from '@stateeval/generate'
import { measure } from '@stateeval/program'
import type { EvaluationContext } from '../context.ts'
import { beginStage, newStage, outcomesOf } from '../engine/complete.ts'
import { itemId } from '../engine/item.ts'
import { prepared } from '../engine/step.ts'
import { type GenerationOutcome, generationFlow } from '../flows/generation-flow.ts'
import { casesFile, filterCounts, keep, lineOf, manifestOf, readmeOf, type ScenarioOutcomes, statisticsOf } from '../flows/manifest.ts'
import { type ProgramOutcome, programFlow } from '../flows/program-flow.ts'
import type { BenchmarkOwner, GeneratedSet } from './owner.ts'
import type { Plan } from './plan.ts'
import { knowTruth } from './self-check.ts'

export const scenariosOf = ({ scenarios }: Pick<EvaluationContext, 'scenarios'>, { scenario }: Pick<BuildOptions, 'scenario'>) =>
  scenarios.filter(({ id }) => scenario === 'all' || scenario === id)

const options = (owner: BenchmarkOwner) => owner.build as BuildOptions
/** What a generation gave; kept in memory, as every program of the stage is taken from it. */
const generated = (context: EvaluationContext, owner: BenchmarkOwner, at: number) =>
  context.cache(`generated/${owner.id}/${at}`, async () => {
    const ended = await context.results.get(itemId({ owner: owner.id, stage: 'generate', index: at }))
    if (!ended) throw new Error(`${owner.id} has no programs of scenario ${at}`)
    const outcome = (await context.artifacts.unpack(ended.payload)) as GenerationOutcome
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.result
  })

const afterGeneration = async (context: EvaluationContext, owner: BenchmarkOwner) => {
  const outcomes = await outcomesOf<GenerationOutcome>(context, owner, 'generate')
  const failed = outcomes.find((outcome) => !outcome.ok)
  if (failed && !failed.ok)
    return context.owners.end(owner.id, { status: 'failed', error: `programs could not be generated: ${failed.reason}` })
  const scenarios = scenariosOf(context, options(owner))
  let first = 0
  const sets = outcomes.map((outcome, at): GeneratedSet => {
    const count = outcome.ok ? outcome.result.programs.length : 0
    const set = { scenario: scenarios[at]?.id ?? '', first, count }
    first += count
    return set
  })
  if (first === 0)
    return context.owners.end(owner.id, { status: 'failed', error: 'no programs were generated; ask for more, or for another length' })
  const entered = await context.owners.enter(owner.id, 'generate', {
    stage: 'programs',
    stages: { ...owner.stages, programs: newStage(first, context.window) },
    sets,
  })
  if (entered) await beginStage(context, entered)
}

const measured = async (c: Case, { language }: BuildOptions): Promise<Case> => ({
  ...c,
  metrics: { ...(await measure(c.program, { language, instruction: c.instruction })) },
})

const afterPrograms = async (context: EvaluationContext, owner: BenchmarkOwner) => {
  const build = options(owner)
  const outcomes = await outcomesOf<ProgramOutcome>(context, owner, 'programs')
  const parts: ScenarioOutcomes[] = []
  for (const [at, { scenario, first, count }] of (owner.sets ?? []).entries()) {
    const { statistics }: GenerateResult = await generated(context, owner, at)
    parts.push({ scenario, outcomes: outcomes.slice(first, first + count), drawnAgain: statistics.dropped, apis: statistics.apis })
  }
  const kept: Case[] = []
  for (const part of parts) for (const c of keep(part, build)) kept.push(await measured(c, build))
  if (kept.length === 0) {
    const why = outcomes.find((outcome) => outcome.status === 'dropped')
    return context.owners.end(owner.id, {
      status: 'failed',
      error: `no program passed every filter${why?.status === 'dropped' ? `; the first: ${why.reason} (${why.detail})` : ''}`,
    })
  }
  const lines = kept.map(lineOf)
  const about = {
    benchmark: owner.benchmark,
    versions: {
      [`benchmark ${owner.benchmark}`]: context.benchmark(owner.benchmark).version,
      generator: generatorVersion,
      ...Object.fromEntries(scenariosOf(context, build).map(({ id, version }) => [`scenario ${id}`, version])),
    },
    seed: build.seed,
    options: { ...build },
    counts: { generated: outcomes.length, passed: outcomes.filter(({ status }) => status === 'passed').length, kept: kept.length },
    filtered: parts.flatMap(filterCounts),
    statistics: parts.map(({ scenario, apis }) =>
      statisticsOf(
        scenario,
        apis,
        kept.filter((c) => c.scenario === scenario),
      ),
    ),
  }
  const files = { 'cases.jsonl': casesFile(lines), 'README.md': readmeOf(about) }
  const manifest = manifestOf(about, files)
  await context.sets.store(owner.id, { manifest, lines, ids: kept.map(({ id }) => id), readme: files['README.md'] })
  // Every oracle was replayed a second time just now, so the truth of this set is known here.
  const passed = outcomes.filter((outcome) => outcome.status === 'passed')
  const runtimes = [...new Set(passed.flatMap((outcome) => (outcome.status === 'passed' ? outcome.runtimes : [])))]
  if (runtimes.length === 1)
    await knowTruth(context, {
      manifest: manifest.id,
      language: build.language,
      runtime: runtimes[0] as string,
      cases: kept.length,
      failed: [],
    })
  await context.owners.end(owner.id, { status: 'succeeded', manifest })
}

export const buildPlan: Plan<BenchmarkOwner> = {
  async item(context, owner, stage, index) {
    const build = options(owner)
    if (stage === 'generate') return prepared(generationFlow, { scenario: scenariosOf(context, build)[index]?.id ?? '', options: build })
    const at = (owner.sets ?? []).findIndex(({ first, count }) => index >= first && index < first + count)
    const set = (owner.sets ?? [])[at]
    if (!set) throw new Error(`${owner.id} has no program ${index}`)
    const { programs } = await generated(context, owner, at)
    return prepared(programFlow, {
      program: programs[index - set.first] as never,
      scenario: context.scenario(set.scenario),
      benchmark: context.benchmark(owner.benchmark),
      options: build,
    })
  },
  tally: (out) => {
    const outcome = out as ProgramOutcome | GenerationOutcome
    const passed = 'ok' in outcome ? outcome.ok : outcome.status === 'passed'
    return { passed: passed ? 1 : 0, notScored: 0 }
  },
  finished: (context, owner, stage) => (stage === 'generate' ? afterGeneration(context, owner) : afterPrograms(context, owner)),
}
