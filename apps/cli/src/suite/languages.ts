/** Parses languages of candidates from the command line. */
import type { Language } from '@stateeval/contracts'
import { InvalidArgumentError } from 'commander'

const all: readonly Language[] = ['javascript', 'python']
const isLanguage = (name: string): name is Language => (all as readonly string[]).includes(name)

/** `javascript,python` as a list; commander prints the errors. */
export function parseLanguages(text: string): Language[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  if (!names.every(isLanguage))
    throw new InvalidArgumentError(`one or more of ${all.join(', ')}, separated by commas`)
  return names
}
