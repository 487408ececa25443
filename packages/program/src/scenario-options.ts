/** Options of a scenario, as requested by generations and builds. */
import type { Scenario } from './scenario.ts'

type Options = Readonly<Record<string, number>>

/**
 * The faults of options for these scenarios, each of which must be known to one of them; empty if there is
 * none.
 */
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

/** The options that a scenario knows; undefined if it knows none of them. */
export function optionsFor(scenario: Scenario, options: Options = {}): Options | undefined {
  const ownOptions = Object.entries(options).filter(([name]) => optionOf(scenario, name))
  return ownOptions.length > 0 ? Object.fromEntries(ownOptions) : undefined
}

/** The scenario with its options set. Throws a RangeError that names an option that it does not accept. */
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
