/** Finds the options of a command that fill fields of its request. */
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
  '/world': ['--scenario'],
  world: ['--input'],
  text: ['--recording'],
  expiresAt: ['--expires'],
  minRate: ['--gate'],
  maxUnscoredShare: ['--max-unscored', '--allow-unscored'],
  scenarioOptions: ['--scenario-option'],
}

/**
 * The option for the innermost part of a JSON pointer that has one, or several joined by `or`; null if none
 * has.
 */
export function findOption(field: string, command: Command): string | null {
  const parts = field.split('/')
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]!
    const named = command.options.filter((option) => option.attributeName() === part)
    const name = [`${parts[at - 1]}/${part}`, part].find((one) => Object.hasOwn(otherNames, one))
    const others = name === undefined ? [] : otherNames[name]!
    const options =
      named.length > 0 ? named : command.options.filter(({ long }) => others.includes(long ?? ''))
    if (options.length > 0) return options.map(({ long }) => long).join(' or ')
  }
  return null
}

/** A remedy about a field, before and after its name. */
const remedy = '(set|leave|raise|lower|correct|remove|choose another|name them in)'
const end = '(?=,| to | out\\b|[;.]|$)'

/**
 * The text with options in place of the fields that its remedies name: `set samples to 6` becomes `set
 * --samples to 6`.
 */
export function replaceFields(text: string, command: Command): string {
  let result = text
  for (const option of command.options) {
    const name = option.attributeName()
    const pattern = /[A-Z]/.test(name)
      ? new RegExp(`(?<![\\w"./-])()${name}(?![\\w"])`, 'g')
      : new RegExp(`\\b${remedy} ${name}\\b${end}`, 'g')
    result = result.replace(pattern, (_, before: string) => `${before && `${before} `}${option.long}`)
  }
  return result
}
