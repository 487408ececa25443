/**
 * The current models behind the names in a build's options. A problem reports immediately why a build is
 * impossible.
 */
import { isDeepStrictEqual } from 'node:util'
import { type AgentOptions, type UsageBudget, type BuildOptions, ProblemError } from '@stateeval/contracts'
import type { BuildAgents } from '@stateeval/flows'
import { requireRecording, type ImportedRecordings } from '../recordings/recordings.ts'
import { checkAsked, checkBudget, type ModelChoices, requireModelSettings } from './models.ts'

/** Terms of a build with translating agents, besides its options. */
interface AgentTerms {
  budget?: UsageBudget
  fresh?: boolean
  recording?: string
}

/** The agents, and the build's options with their names; null if no model translates. */
export async function chooseAgents(
  context: ModelChoices,
  build: BuildOptions,
  { budget, fresh, recording }: AgentTerms = {},
): Promise<{ agents: BuildAgents; build: BuildOptions } | null> {
  if (build.translator !== 'agents') {
    refuseForTemplate(build, { budget, fresh, recording })
    return null
  }
  if (recording !== undefined) return loadRecordedAgents(context, build, recording)
  const { agents } = build
  if (!agents)
    throw new ProblemError(
      'unprocessable',
      'name the model that writes the instructions: {"agents": {"generator": …}}',
      '/build/agents',
    )
  const modelOf = async (role: 'generator' | 'evaluator' | 'coder') => {
    const name = agents[role] ?? agents.generator
    return { name, settings: await requireModelSettings(context, name, `/build/agents/${role}`) }
  }
  const models = {
    generator: await modelOf('generator'),
    evaluator: await modelOf('evaluator'),
    coder: await modelOf('coder'),
    ...getAgentLimits(agents),
    ...(fresh && { fresh }),
  }
  for (const [role, { name, settings }] of listAgentRoles(models)) {
    checkBudget(budget, settings)
    await checkAsked(context, { name, settings }, `/build/agents/${role}`)
  }
  return { agents: models, build }
}

const getAgentLimits = ({ rounds = 3, tries = 3 }: AgentOptions) => ({ rounds, tries })

function refuseForTemplate(
  { agents }: BuildOptions,
  terms: { [Term in keyof AgentTerms]: AgentTerms[Term] | undefined },
): void {
  if (agents)
    throw new ProblemError(
      'unprocessable',
      'agents need the translator agents; remove them, or choose that translator',
      '/build/agents',
    )
  for (const term of ['budget', 'fresh', 'recording'] as const)
    if (terms[term])
      throw new ProblemError(
        'unprocessable',
        `the translator template calls no model; remove ${term}, or choose agents`,
        `/${term}`,
      )
}

/**
 * Loads the agents of an earlier build, whose answers are used: no model is asked, so it doesn't matter which
 * models the names mean now.
 */
async function loadRecordedAgents(
  context: ImportedRecordings,
  build: BuildOptions,
  id: string,
): Promise<{ agents: BuildAgents; build: BuildOptions }> {
  const { agents } = await requireRecording(context, id)
  if (!agents)
    throw new ProblemError(
      'unprocessable',
      `${id} is not the recording of a build whose instructions agents wrote; name one`,
      '/recording',
    )
  const { options, ...models } = agents
  if (build.agents && !isDeepStrictEqual(build.agents, options))
    throw new ProblemError(
      'unprocessable',
      `the recording contains answers of the agents ${JSON.stringify(options)}; leave agents out, or ask the models`,
      '/build/agents',
    )
  return {
    agents: { ...models, ...getAgentLimits(options), recording: id },
    build: { ...build, agents: options },
  }
}

/** Each model once. */
function listAgentRoles({ generator, evaluator, coder }: BuildAgents): [string, BuildAgents['coder']][] {
  const all = { generator, evaluator, coder }
  const names = new Set<string>()
  return Object.entries(all).filter(([, { name }]) => !names.has(name) && names.add(name))
}
