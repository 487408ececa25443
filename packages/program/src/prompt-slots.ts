/** Prompts: texts with {{slots}}, in files that people can read and replace. */

import { getOwnMember } from '@stateeval/contracts'

/** The slots that a prompt may and must contain. */
export interface PromptSlots {
  must: readonly string[]
  may: readonly string[]
}

/**
 * A prompt of a benchmark: a file with this name in the folder, such as tasks.md, which people may replace.
 */
export interface PromptFile extends PromptSlots {
  /** Ends in a slash. */
  folder: URL
}

const slot = /\{\{\s*(\w+)\s*\}\}/g

/** The fault of a prompt, as the end of a sentence; null if there is none. */
export function findPromptFault({ must, may }: PromptSlots, text: string): string | null {
  const usedSlots = new Set([...text.matchAll(slot)].map(([, name]) => name as string))
  const unknown = [...usedSlots].find((name) => !must.includes(name) && !may.includes(name))
  if (unknown !== undefined)
    return `has {{${unknown}}}, which is unknown; available: ${[...must, ...may].join(', ')}`
  const missing = must.find((name) => !usedSlots.has(name))
  return missing === undefined ? null : `lacks {{${missing}}}`
}

/** Fills the slots; the inserted values are not searched for slots. */
export const fillPrompt = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(slot, (_, name: string) => getOwnMember(values, name) ?? '').trim()
