/**
 * A build: generate (one item per scenario), then programs (one item per program). Then the sample is drawn
 * and stored.
 */
import type { Program } from '@stateeval/contracts'
import {
  type BuildAgents,
  bindFlow,
  sumCosts,
  generationFlow,
  type GenerationOutcome,
  type ProgramOutcome,
} from '@stateeval/flows'
import { addUsage, noUsage } from '@stateeval/models'
import { selectOptions } from '@stateeval/program'
import type { ArtifactCache, ThreadPool } from '@stateeval/service-kit'
import type { AgentPrompts } from '@stateeval/translate'
import {
  listAgentModels,
  type ItemWindow,
  type BuildOwner,
  type GeneratedSet,
  type OwnerStore,
  onProvider,
  enterStage,
  type OutcomeReader,
  outcomesOf,
  type OwnerPlan,
  type StageStarter,
} from '@stateeval/jobs'
import {
  assembleSet,
  loadGenerated,
  createProgramItem,
  listScenarios,
  type SetSources,
  type BenchmarkSets,
  type SuiteCatalog,
} from '@stateeval/sets'

/** Parts of a build. */
interface BuildParts
  extends SetSources, StageStarter, OutcomeReader, Pick<SuiteCatalog, 'benchmark' | 'scenario'> {
  owners: OwnerStore
  sets: BenchmarkSets
  agentPrompts: AgentPrompts
  artifactCache: ArtifactCache
  threads: ThreadPool
  window: ItemWindow
}

const advanceGeneration = async (context: BuildParts, owner: BuildOwner) => {
  const outcomes = await outcomesOf<GenerationOutcome>(context, owner, 'generate')
  const failed = outcomes.find((outcome) => !outcome.ok)
  if (failed && !failed.ok)
    return context.owners.end(owner.id, {
      status: 'failed',
      error: `programs could not be generated: ${failed.reason}`,
    })
  const scenarios = await listScenarios(context, owner.build)
  let first = 0
  const sets = outcomes.map((outcome, at): GeneratedSet => {
    const count = outcome.ok ? outcome.result.programs.length : 0
    const set = { scenario: scenarios[at]?.id ?? '', first, count }
    first += count
    return set
  })
  if (first === 0)
    return context.owners.end(owner.id, {
      status: 'failed',
      error: 'no programs were generated; request more programs, or a different length',
    })
  await enterStage(context, owner, { stage: 'programs', total: first, window: context.window }, { sets })
}

const advancePrograms = async (context: BuildParts, owner: BuildOwner) => {
  const outcomes = await outcomesOf<ProgramOutcome>(context, owner, 'programs')
  const { agents } = owner
  const cost = agents && {
    usage: outcomes.flatMap(({ usage }) => usage ?? []).reduce(addUsage, noUsage),
    costUsd: sumCosts(
      outcomes.flatMap(({ asking }) => asking ?? []),
      (name) => listAgentModels(agents).find((model) => model.name === name)?.settings.prices,
    ),
  }
  const set = await assembleSet(context, owner, outcomes)
  if (!set) {
    const why = outcomes.find((outcome) => outcome.status === 'dropped')
    const waiting = outcomes.filter(({ review }) => review?.status === 'needs_review').length
    return context.owners.end(owner.id, {
      status: 'failed',
      error: [
        'no program passed every filter',
        ...(why?.status === 'dropped' ? [`the first: ${why.reason} (${why.detail})`] : []),
        ...(waiting > 0 ? [`${waiting} must be decided: GET /v1/benchmarks/${owner.id}/reviews`] : []),
      ].join('; '),
      ...cost,
    })
  }
  await context.sets.store(owner.id, set)
  await context.owners.end(owner.id, { status: 'succeeded', manifest: set.manifest, ...cost })
}

const buildAgents = (
  { rounds, tries, generator, evaluator, coder }: BuildAgents,
  prompts: Readonly<Record<string, string>>,
) => ({ agents: { rounds, tries, prompts }, models: { generator, evaluator, coder } })

export function countProgramEnd(out: unknown): ReturnType<OwnerPlan<BuildOwner>['counts']> {
  const outcome = out as ProgramOutcome | GenerationOutcome
  const passed = 'ok' in outcome ? outcome.ok : outcome.status === 'passed'
  return {
    passed: passed ? 1 : 0,
    notScored: 0,
    ...('usage' in outcome && outcome.usage ? outcome.usage : noUsage),
  }
}

export const buildPlan = (context: BuildParts): OwnerPlan<BuildOwner> => ({
  async item(owner, stage, index) {
    const { build } = owner
    if (stage === 'generate') {
      const scenario = (await listScenarios(context, build))[index]
      const scenarioOptions = scenario && selectOptions(scenario, build.scenarioOptions)
      return bindFlow(generationFlow, {
        scenario: scenario?.id ?? '',
        options: build,
        ...(scenarioOptions && { scenarioOptions }),
      })
    }
    const at = (owner.sets ?? []).findIndex(({ first, count }) => index >= first && index < first + count)
    const set = (owner.sets ?? [])[at]
    if (!set) throw new Error(`${owner.id} has no program ${index}`)
    const { programs } = await loadGenerated(context, owner, at)
    const flow = await createProgramItem(
      context,
      owner.kind,
      programs[index - set.first] as Program,
      build,
      owner.agents && buildAgents(owner.agents, context.agentPrompts),
    )
    return onProvider(flow, owner.provider)
  },
  counts: countProgramEnd,
  finished: (owner, stage) =>
    stage === 'generate' ? advanceGeneration(context, owner) : advancePrograms(context, owner),
})
