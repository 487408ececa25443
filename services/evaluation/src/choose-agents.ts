/** The models behind the names in a build's options, as they are now. A problem says at once why a build could not be made. */
import { type AgentOptions, type Budget, type BuildOptions, ProblemError } from '@stateeval/contracts'
import { checkBudget, existingSettings } from './choose-model.ts'
import type { EvaluationContext } from './context.ts'
import type { BuildAgents } from './owners/owner.ts'

export async function chooseAgents(
  context: EvaluationContext,
  { translator, agents }: BuildOptions,
  { budget, fresh }: { budget?: Budget; fresh?: boolean } = {},
): Promise<BuildAgents | null> {
  if (translator !== 'agents') {
    if (agents) throw new ProblemError('unprocessable', 'agents are for the translator agents; remove them, or choose it', '/build/agents')
    if (budget ?? fresh)
      throw new ProblemError(
        'unprocessable',
        'the translator template asks no model; remove budget and fresh, or choose agents',
        budget ? '/budget' : '/fresh',
      )
    return null
  }
  if (!agents)
    throw new ProblemError('unprocessable', 'name the model that writes the instructions: {"agents": {"generator": …}}', '/build/agents')
  const named = async (role: 'generator' | 'evaluator' | 'coder') => {
    const name = agents[role] ?? agents.generator
    return { name, settings: await existingSettings(context, name, `/build/agents/${role}`) }
  }
  const { rounds = 3, tries = 3 }: AgentOptions = agents
  const chosen = {
    generator: await named('generator'),
    evaluator: await named('evaluator'),
    coder: await named('coder'),
    rounds,
    tries,
    ...(fresh && { fresh }),
  }
  for (const [role, { name, settings }] of roles(chosen)) {
    checkBudget(budget, settings)
    const why = await context.modelClient.check(settings)
    if (why !== null) throw new ProblemError('unprocessable', `the model ${name} can’t be asked: ${why}`, `/build/agents/${role}`)
  }
  return chosen
}

/** Each model once. */
function roles({ generator, evaluator, coder }: BuildAgents): [string, BuildAgents['coder']][] {
  const all = { generator, evaluator, coder }
  const seen = new Set<string>()
  return Object.entries(all).filter(([, { name }]) => !seen.has(name) && seen.add(name))
}
