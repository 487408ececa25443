/** Languages of candidates: read from the command line, or those that can be run here. */
import type { Language } from '@stateeval/contracts'
import { UnreachableError } from '@stateeval/client'
import { InvalidArgumentError } from 'commander'
import { Failure } from '../command.ts'
import { execution, traceGeneration } from './index.ts'

const all: readonly Language[] = ['javascript', 'python']
const isLanguage = (name: string): name is Language => (all as readonly string[]).includes(name)

/** `javascript,python` as a list; commander prints what it throws. */
export function languageList(text: string): Language[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  if (!names.every(isLanguage)) throw new InvalidArgumentError(`one or more of ${all.join(', ')}, divided by commas, are needed`)
  return names
}

/**
 * The languages that programs of the scenario (of all scenarios: `all`) can be run in by this suite; null where the services
 * that know can't be asked from here, as where only the suite's public face can be reached.
 */
export async function languagesOf(scenario: string): Promise<Language[] | null> {
  try {
    const [scenarios, worlds] = await Promise.all([traceGeneration().listScenarios({ query: { limit: 100 } }), execution().listWorlds()])
    const needed = scenarios.items.filter(({ id }) => scenario === 'all' || scenario === id).map(({ world }) => world)
    const spoken = worlds.items.filter(({ id }) => needed.includes(id)).map(({ languages }) => languages)
    const common = all.filter((language) => spoken.every((languages) => languages.includes(language)))
    return common.length > 0 ? common : ['javascript']
  } catch (error) {
    if (error instanceof Failure || error instanceof UnreachableError) return null
    throw error
  }
}
