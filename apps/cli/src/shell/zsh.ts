/** Completion for zsh, as the script that `stateeval completion zsh` prints. */
import type { DescribedCommand, DescribedOption } from './describe.ts'

export function formatZshCompletion(commands: readonly DescribedCommand[]): string {
  return `#compdef stateeval
# Completion of stateeval for zsh. Load it with: source <(stateeval completion zsh)
_stateeval() {
  local -a commands
  commands=(
${commands.map(({ name, describe }) => `    ${quote(`${name}:${describe}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(formatZshCommand).join('\n')}
  esac
}
compdef _stateeval stateeval
`
}

const formatZshCommand = ({ name, argument, options }: DescribedCommand) =>
  [
    `    ${name}) _arguments \\`,
    ...options.flatMap((option) =>
      option.flags.map((flag) => `      ${quote(formatZshSpec(flag, option))} \\`),
    ),
    ...(argument?.kind === 'choice'
      ? [`      ${quote(`1:argument:(${argument.choices.join(' ')})`)} \\`]
      : []),
    `      '*:file:_files';;`,
  ].join('\n')

function formatZshSpec(flag: string, { describe, value }: DescribedOption): string {
  const head = `${flag}[${describe.replace(/[\\[\]:]/g, '\\$&')}]`
  if (value === null) return head
  const values =
    value.kind === 'choice' ? `(${value.choices.join(' ')})` : value.kind === 'path' ? '_files' : ' '
  return `${head}:value:${values}`
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
