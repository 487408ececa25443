/** Finds the option of a command that fills a field of its request. */
import type { Command } from 'commander'

/** Fields that no option is called by; one of a certain object has its name before. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  budget: ['--budget-usd', '--budget-tokens'],
  'budget/usd': ['--budget-usd'],
  'budget/tokens': ['--budget-tokens'],
  specification: ['--spec'],
  id: ['--api'],
  title: ['--api-title'],
  generator: ['--model'],
  evaluator: ['--evaluator-model'],
  coder: ['--coder-model'],
  limits: ['--time-limit'],
  variables: ['--input'],
  world: ['--input'],
  minRate: ['--gate'],
  maxUnscoredShare: ['--max-unscored', '--allow-unscored'],
  scenarioOptions: ['--scenario-option'],
}

/**
 * The option for the innermost part of a JSON pointer that has one, or several joined by `or`; null if none
 * has.
 */
export function optionOf(field: string, command: Command): string | null {
  const parts = field.split('/')
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]!
    const named = command.options.filter((option) => option.attributeName() === part)
    const others = [`${parts[at - 1]}/${part}`, part].flatMap((name) =>
      Object.hasOwn(otherNames, name) ? otherNames[name]! : [],
    )
    const options =
      named.length > 0 ? named : command.options.filter(({ long }) => others.includes(long ?? ''))
    if (options.length > 0) return options.map(({ long }) => long).join(' or ')
  }
  return null
}
