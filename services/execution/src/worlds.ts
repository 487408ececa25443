/** The languages that can run programs against each world here, and why others cannot. */
import type { Language, WorldSummary } from '@stateeval/contracts'
import type { ExecutionContext } from './context.ts'

const all: readonly Language[] = ['javascript', 'python']

export function summarizeWorlds({ worlds, sandbox }: ExecutionContext): WorldSummary[] {
  return worlds.map((world) => {
    const { id, languages: spoken = all } = world
    const lacking = { ...sandbox.unavailable, ...sandbox.missing(world) }
    const reason = (language: Language) =>
      spoken.includes(language)
        ? lacking[language]
        : `the world ${id} is for programs in ${spoken.join(' and ')}`
    const unavailable = all.flatMap((language) => {
      const why = reason(language)
      return why === undefined ? [] : [[language, why]]
    })
    return {
      id,
      languages: sandbox.languages.filter((language) => reason(language) === undefined),
      ...(world.tensors && { tensors: true as const }),
      ...(world.tools && { tools: [...world.tools()] }),
      unavailable: Object.fromEntries(unavailable) as Record<string, string>,
    }
  })
}
