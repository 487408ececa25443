/** Which option of a command fills a field of the request that it sends. */
import type { Command } from 'commander'

/** Fields that no option is called by. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  budget: ['--budget-usd', '--budget-tokens'],
  usd: ['--budget-usd'],
  tokens: ['--budget-tokens'],
  specification: ['--spec'],
  id: ['--api'],
  title: ['--api-title'],
  generator: ['--model'],
  evaluator: ['--evaluator-model'],
  coder: ['--coder-model'],
  limits: ['--time-limit'],
  variables: ['--input'],
  world: ['--input'],
  scenarioOptions: ['--scenario-option'],
}

/** The option, or several with `or` between them, for the innermost part of a JSON pointer that has one; null where none has. */
export function optionOf(field: string, command: Command): string | null {
  for (const part of field.split('/').toReversed()) {
    const options = command.options.filter(
      (option) =>
        option.attributeName() === part ||
        (Object.hasOwn(otherNames, part) && otherNames[part]!.includes(option.long ?? '')),
    )
    if (options.length > 0) return options.map(({ long }) => long).join(' or ')
  }
  return null
}
