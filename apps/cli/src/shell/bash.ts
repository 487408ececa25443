/** Completion for bash, as the script that `stateeval completion bash` prints. */
import type { DescribedCommand, DescribedOption } from './describe.ts'

/** Needs bash 4.4 or later, and no other package. */
export function formatBashCompletion(commands: readonly DescribedCommand[]): string {
  const lists = commands.map(
    ({ name, argument, options }) =>
      `    ${name}) words=${quoteWords(options.flatMap(({ flags }) => flags))}; first=${quoteWords(argument?.kind === 'choice' ? argument.choices : [])};;`,
  )
  return `# Completion of stateeval for bash. Load it with: source <(stateeval completion bash)
_stateeval() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command= words= first= place=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      -*) ;;
      *) command=\${COMP_WORDS[i]}; place=$((COMP_CWORD - i)); break;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => formatValueCase(name, option))).join('\n')}
  esac
  case "$command" in
    '') words=${quoteWords([...commands.map(({ name }) => name), '--help', '--version'])};;
${lists.join('\n')}
  esac
  [[ $place -eq 1 && $current != -* && -n $first ]] && words=$first
  if [[ -z $command || $current == -* || -n $first && $place -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    _stateeval_paths "$current"
  fi
}
_stateeval_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}
complete -F _stateeval stateeval
`
}

/** Formats the completion of an option's value. */
function formatValueCase(command: string, { flags, value }: DescribedOption): string[] {
  if (value === null) return []
  const pattern = flags.map((flag) => `'${command} ${flag}'`).join('|')
  if (value.kind === 'path') return [`    ${pattern}) _stateeval_paths "$current"; return;;`]
  if (value.kind === 'text') return [`    ${pattern}) return;;`]
  return [`    ${pattern}) COMPREPLY=($(compgen -W ${quoteWords(value.choices)} -- "$current")); return;;`]
}

const quoteWords = (words: readonly string[]) => `'${words.join(' ').replaceAll("'", `'\\''`)}'`
