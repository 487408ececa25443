/** Completion for fish, as the script that `stateeval completion fish` prints. */
import type { DescribedCommand, DescribedOption } from './describe.ts'

export function formatFishCompletion(commands: readonly DescribedCommand[]): string {
  return `# Completion of stateeval for fish. Load it with: stateeval completion fish | source
complete -c stateeval -e
complete -c stateeval -n __fish_use_subcommand -f
${commands
  .map(
    ({ name, describe }) =>
      `complete -c stateeval -n __fish_use_subcommand -f -a ${quote(name)} -d ${quote(describe)}`,
  )
  .join('\n')}
${commands.flatMap(formatFishCommand).join('\n')}
`
}

function formatFishCommand({ name, argument, options }: DescribedCommand): string[] {
  const here = `complete -c stateeval -n ${quote(`__fish_seen_subcommand_from ${name}`)}`
  return [
    ...(argument?.kind === 'choice' ? [`${here} -f -a ${quote(argument.choices.join(' '))}`] : []),
    ...options.map((option) => `${here} ${formatFlags(option)} -d ${quote(option.describe)}`),
  ]
}

function formatFlags({ flags, value }: DescribedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
  if (value === null) return names.join(' ')
  const values =
    value.kind === 'choice'
      ? `-x -a ${quote(value.choices.join(' '))}`
      : value.kind === 'path'
        ? '-r -F'
        : '-x'
  return `${names.join(' ')} ${values}`
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
