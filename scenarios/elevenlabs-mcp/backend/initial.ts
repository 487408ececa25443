/** The initial form of a studio, checked. */
import { isRecord } from '@stateeval/contracts'
import { InitialError } from '@stateeval/sandbox/initial-error'
import type { InitialStudio } from '../state.ts'
import { standardLibrary } from '../values.ts'

const max = { voices: 1000, characters: 100 } as const
const fields = ['voice_name', 'category', 'gender'] as const

/**
 * `{ voices: [{ voice_name, category, gender }] }`, each name once; `{}` has the standard library. Throws an
 * InitialError.
 */
export function readInitial(initial: unknown): InitialStudio {
  const library: unknown = isRecord(initial) ? (initial['voices'] ?? standardLibrary) : undefined
  if (!Array.isArray(library))
    throw new InitialError(
      'world: give { "voices": [{ "voice_name", "category", "gender" }] }, or {} for the standard library',
    )
  if (library.length > max.voices) throw new InitialError(`world.voices: give at most ${max.voices} voices`)
  const names = new Set<string>()
  const voices = library.map((voice: unknown, index) => {
    const at = `world.voices[${index}]`
    if (!isRecord(voice)) throw new InitialError(`${at}: give an object with ${fields.join(', ')}`)
    const [voice_name, category, gender] = fields.map((field) => {
      const value = voice[field]
      if (typeof value !== 'string' || value.trim() === '' || value.length > max.characters)
        throw new InitialError(`${at}.${field}: give a text of 1 to ${max.characters} characters`)
      return value
    }) as [string, string, string]
    if (names.has(voice_name))
      throw new InitialError(
        `${at}.voice_name: ${JSON.stringify(voice_name)} is there already; names are unique`,
      )
    names.add(voice_name)
    return { voice_name, category, gender }
  })
  return { voices }
}
