import { type CommandModule, defineCommand, Failure } from '../command.ts'
import { formatBashCompletion } from '../shell/bash.ts'
import { type DescribedCommand, describeCommands } from '../shell/describe.ts'
import { formatFishCompletion } from '../shell/fish.ts'
import { formatZshCompletion } from '../shell/zsh.ts'

const shells: Readonly<Record<string, (commands: readonly DescribedCommand[]) => string>> = {
  bash: formatBashCompletion,
  zsh: formatZshCompletion,
  fish: formatFishCompletion,
}

/** `all` returns every command, including this one. */
export const createCompletion = (all: () => readonly CommandModule<object>[]) =>
  defineCommand({
    name: 'completion <shell>',
    choices: Object.keys(shells),
    describe: 'Print the completion script of a shell: bash, zsh or fish',
    example: [
      'npx stateeval completion bash >> ~/.bash_completion',
      'npx stateeval completion zsh > "${fpath[1]}/_stateeval"',
      'npx stateeval completion fish > ~/.config/fish/completions/stateeval.fish',
    ].join('\n'),
    run: async ({ args, terminal }) => {
      const shell = args[0]!
      const script = Object.hasOwn(shells, shell) ? shells[shell]!(describeCommands(all())) : null
      if (script === null)
        throw new Failure(
          `There is no completion for '${shell}'. Name one of ${Object.keys(shells).join(', ')}.`,
        )
      terminal.result({ shell, script }, () => script.trimEnd())
      return 0
    },
  })
