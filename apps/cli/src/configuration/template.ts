/** The text of a new stateeval.yaml: every setting as a comment, with options from the commands. */
import type { DescribedCommand, DescribedOption } from '../shell/describe.ts'
import { variables } from './file.ts'

/** Commands of one machine or of one moment: a default would surprise. */
const withoutSection = new Set(['init', 'completion', 'delete', 'down', 'cancel', 'restore', 'serve'])
const width = 100

/** @param url of the suite; null leaves it as a comment */
export function formatConfigurationTemplate(
  commands: readonly DescribedCommand[],
  url: string | null,
): string {
  const settings = Object.entries(variables).flatMap(([name, { variable, describe, example }]) => [
    `# ${toSentence(describe)} (${variable})`,
    name === 'url' && url !== null ? `url: ${JSON.stringify(url)}` : `# ${name}: ${example}`,
    '',
  ])
  const sections = commands
    .filter(({ name, options }) => !withoutSection.has(name) && options.length > 2)
    .flatMap(({ name, options }) => [`#   ${name}:`, ...listSettable(options).flatMap(formatOptionLines)])
  return [
    '# Settings and defaults of the stateeval command. It reads this file from the working directory, or from',
    '# the nearest folder above. The command line overrides the environment, and the environment overrides this',
    '# file.',
    '#',
    '# Keep no secrets here. The API key is STATEEVAL_API_KEY in the environment; settings of services and keys',
    '# of models belong in .env (see .env.example).',
    '',
    ...settings,
    '# Defaults of options, for each command: remove "# " before commands, the command, and its options.',
    '# commands:',
    ...sections,
    '',
  ].join('\n')
}

/** For an option and its negation, one line sets both. */
const listSettable = (options: readonly DescribedOption[]) =>
  options.filter(
    ({ name, isNegated }) => !isNegated || !options.some((one) => one.name === name && !one.isNegated),
  )

function formatOptionLines({
  name,
  describe,
  value,
  isNegated,
  flags,
  default: initial,
}: DescribedOption): string[] {
  const [long = ''] = flags
  if (name === 'help') return []
  const key = isNegated ? long.slice('--no-'.length) : long.slice('--'.length)
  const example =
    value === null
      ? isNegated
        ? 'false'
        : 'true'
      : initial !== undefined && !Array.isArray(initial)
        ? String(initial)
        : value.kind === 'choice'
          ? value.choices[0]!
          : value.kind.toUpperCase()
  return [...wrapComment(toSentence(describe), '#     # '), `#     ${key}: ${example}`]
}

const toSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function wrapComment(text: string, indent: string): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last !== '' && indent.length + last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => indent + line)
}
