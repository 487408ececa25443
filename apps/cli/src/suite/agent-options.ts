/** The options of a build that say which models translate. */
import type { AgentOptions } from '@stateeval/contracts'
import { type Command } from 'commander'
import { Failure } from '../command.ts'
import { integer } from './options.ts'

export interface AgentCommand {
  translator: 'template' | 'agents'
  model?: string
  evaluatorModel?: string
  coderModel?: string
  rounds?: number
  tries?: number
  recording?: string
}

export const agentOptions = (command: Command) =>
  command
    .option(
      '--model <name>',
      'with agents: the named model that writes instructions, judges them and proves them; with --spec: that writes the tasks',
    )
    .option('--evaluator-model <name>', 'with agents: another model that judges')
    .option(
      '--coder-model <name>',
      'with agents: another model that writes code from an instruction alone, to prove it',
    )
    .option(
      '--rounds <n>',
      'with agents: rounds of negotiation at most; with --spec: times that a task may be written (3)',
      integer(1, 10),
    )
    .option('--tries <n>', 'with agents: tries in which code must reproduce the oracle (3)', integer(1, 20))

/** The part of the build's options; undefined for the template translator, and where a recording says it. */
export function agentsOf({
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
      throw new Failure('--recording names the agents by itself: leave --model and the others out')
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
