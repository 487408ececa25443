/** The options of a build that name the translating models. */
import type { AgentOptions } from '@stateeval/contracts'
import { type Command } from 'commander'
import { Failure } from '../command.ts'
import { parseInteger } from './options.ts'

export interface AgentCommand {
  translator: 'template' | 'agents'
  model?: string
  evaluatorModel?: string
  coderModel?: string
  rounds?: number
  tries?: number
  recording?: string
}

export const addAgentOptions = (command: Command) =>
  command
    .option(
      '--model <name>',
      'the named model that writes the instructions (with agents) or the tasks (with --spec)',
    )
    .option('--evaluator-model <name>', 'with agents: a separate model that judges instructions')
    .option(
      '--coder-model <name>',
      'with agents: a separate model that proves an instruction by writing its code',
    )
    .option(
      '--rounds <n>',
      'maximum rounds of negotiation with agents, or of writing a task with --spec (3)',
      parseInteger(1, 10),
    )
    .option('--tries <n>', 'with agents: attempts to reproduce the oracle by code (3)', parseInteger(1, 20))

/**
 * The agents in the build's options; undefined for the template translator, and if a recording determines
 * them.
 */
export function readAgents({
  translator,
  model,
  evaluatorModel,
  coderModel,
  rounds,
  tries,
  recording,
}: AgentCommand): AgentOptions | undefined {
  if (translator !== 'agents') {
    if (model ?? evaluatorModel ?? coderModel ?? rounds ?? tries ?? recording)
      throw new Failure(
        '--model, --evaluator-model, --coder-model, --rounds, --tries and --recording are for --translator agents',
      )
    return undefined
  }
  if (recording !== undefined) {
    if (model ?? evaluatorModel ?? coderModel ?? rounds ?? tries)
      throw new Failure('a recording already names its agents; leave out --model and the others')
    return undefined
  }
  if (!model)
    throw new Failure(
      '--translator agents needs --model NAME, or --recording FILE. Name a model with: npx stateeval model NAME --base-url URL',
    )
  return {
    generator: model,
    ...(evaluatorModel !== undefined && { evaluator: evaluatorModel }),
    ...(coderModel !== undefined && { coder: coderModel }),
    ...(rounds !== undefined && { rounds }),
    ...(tries !== undefined && { tries }),
  }
}
