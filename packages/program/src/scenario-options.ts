/** Options of a scenario's own, as generations and builds ask for them. */
import type { Scenario } from './scenario.ts'

type Options = Readonly<Record<string, number>>

/** What is wrong with options for these scenarios, one of which has to know each; empty if nothing is. */
export function faultsOfOptions(
  scenarios: readonly Scenario[],
  options: Options,
): { name: string; says: string }[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const matches = scenarios.flatMap((scenario) => optionOf(scenario, name) ?? [])
    if (matches.length === 0)
      return [
        { name, says: `no option of ${scenarios.map(({ id }) => id).join(', ')}; ${optionsHint(scenarios)}` },
      ]
    return matches
      .filter(({ minimum, maximum }) => !Number.isInteger(value) || value < minimum || value > maximum)
      .map(({ minimum, maximum }) => ({
        name,
        says: `must be an integer from ${minimum} to ${maximum}, not ${String(value)}`,
      }))
  })
}

/** Those of the options that a scenario knows; undefined where it knows none of them. */
export function optionsFor(scenario: Scenario, options: Options = {}): Options | undefined {
  const ownOptions = Object.entries(options).filter(([name]) => optionOf(scenario, name))
  return ownOptions.length > 0 ? Object.fromEntries(ownOptions) : undefined
}

/** The scenario with its options set. Throws a RangeError that names the option which it doesn't take. */
export function withOptions<W>(scenario: Scenario<W>, options: Options = {}): Scenario<W> {
  const [fault] = faultsOfOptions([scenario], options)
  if (fault) throw new RangeError(`${fault.name}: ${fault.says}`)
  return Object.keys(options).length > 0 ? (scenario.withOptions?.(options) ?? scenario) : scenario
}

const optionOf = ({ options = {} }: Scenario, name: string) =>
  Object.hasOwn(options, name) ? options[name] : undefined

const optionsHint = (scenarios: readonly Scenario[]) => {
  const names = [...new Set(scenarios.flatMap(({ options = {} }) => Object.keys(options)))]
  return names.length > 0 ? `available: ${names.join(', ')}` : 'available: none'
}
