/** Options that determine what a model reads, for all commands that prompt one. */
import { type Command, Option } from 'commander'
import { formatOptionHelp } from './kinds.ts'

/** `promptings`: those that the command supports. */
export const addPromptOptions = (command: Command, promptings: readonly string[]): Command =>
  command
    .addOption(new Option('--prompting <how>', 'how the model is prompted').choices(promptings))
    .addOption(
      new Option('--language <language>', 'the language of the answers').choices(['javascript', 'python']),
    )
    .addOption(
      new Option('--documentation <part>', 'how much of the API documentation the model reads').choices([
        'full',
        'relevant',
        'none',
      ]),
    )
    .addOption(
      new Option(
        '--mode <mode>',
        `how a case is answered, for benchmarks that support both: by a program (default) or by tool calls`,
      ).choices(['program', 'tools']),
    )
    .option('--setup <name>', formatOptionHelp('setup'))
    .option('--layout <name>', formatOptionHelp('layout'))
