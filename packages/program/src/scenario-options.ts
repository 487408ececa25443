/** Options of a scenario, as requested by generations and builds. */
import type { Scenario } from './scenario.ts'

type ScenarioOptions = Readonly<Record<string, number>>

/**
 * The faults of options for these scenarios, each of which must be known to one of them; empty if there is
 * none.
 */
export function findOptionFaults(
  scenarios: readonly Scenario[],
  options: ScenarioOptions,
): { name: string; says: string }[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const matches = scenarios.flatMap((scenario) => getOption(scenario, name) ?? [])
    if (matches.length === 0)
      return [
        {
          name,
          says: `no option of ${scenarios.map(({ id }) => id).join(', ')}; ${describeOptions(scenarios)}`,
        },
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
export function selectOptions(
  scenario: Scenario,
  options: ScenarioOptions = {},
): ScenarioOptions | undefined {
  const ownOptions = Object.entries(options).filter(([name]) => getOption(scenario, name))
  return ownOptions.length > 0 ? Object.fromEntries(ownOptions) : undefined
}

/** The scenario with its options set. Throws a RangeError that names an option that it does not accept. */
export function withOptions<W>(scenario: Scenario<W>, options: ScenarioOptions = {}): Scenario<W> {
  const [fault] = findOptionFaults([scenario], options)
  if (fault) throw new RangeError(`${fault.name}: ${fault.says}`)
  return Object.keys(options).length > 0 ? (scenario.withOptions?.(options) ?? scenario) : scenario
}

const getOption = ({ options = {} }: Scenario, name: string) =>
  Object.hasOwn(options, name) ? options[name] : undefined

const describeOptions = (scenarios: readonly Scenario[]) => {
  const names = [...new Set(scenarios.flatMap(({ options = {} }) => Object.keys(options)))]
  return names.length > 0 ? `available: ${names.join(', ')}` : 'available: none'
}
