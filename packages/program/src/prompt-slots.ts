/** Prompts are texts with {{slots}}, in files that people can read and replace. */

import { ownMember } from '@stateeval/contracts'

/** What a prompt may say, and must. */
export interface PromptSlots {
  must: readonly string[]
  may: readonly string[]
}

/**
 * A prompt that comes with a benchmark: a file of its name in the folder, such as tasks.md, which people may
 * replace.
 */
export interface PromptFile extends PromptSlots {
  /** Ends in a slash. */
  folder: URL
}

const slot = /\{\{\s*(\w+)\s*\}\}/g

/** What is wrong with a prompt, as the end of a sentence; null where nothing is. */
export function faultOfPromptSlots({ must, may }: PromptSlots, text: string): string | null {
  const usedSlots = new Set([...text.matchAll(slot)].map(([, name]) => name as string))
  const unknown = [...usedSlots].find((name) => !must.includes(name) && !may.includes(name))
  if (unknown !== undefined)
    return `has {{${unknown}}}, which is unknown; available: ${[...must, ...may].join(', ')}`
  const missing = must.find((name) => !usedSlots.has(name))
  return missing === undefined ? null : `lacks {{${missing}}}`
}

/** Fills the slots; what fills them is not looked through again. */
export const fillPrompt = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(slot, (_, name: string) => ownMember(values, name) ?? '').trim()
