/** The agents' prompts: texts with {{slots}}, brought by the host, so that people can read and replace them. */
export const promptNames = ['generator', 'revise', 'evaluator'] as const
export type PromptName = (typeof promptNames)[number]
export type AgentPrompts = Readonly<Record<PromptName, string>>

/** What each prompt may say, and must. */
const slots: Readonly<Record<PromptName, { must: readonly string[]; may: readonly string[] }>> = {
  generator: { must: ['code', 'variables', 'result'], may: ['documentation'] },
  revise: { must: ['diagnosis'], may: [] },
  evaluator: { must: ['code', 'instruction'], may: ['documentation', 'variables', 'result', 'diagnosis'] },
}

/** What is wrong with a prompt, as the end of a sentence; null where nothing is. */
export function faultOfPrompt(name: PromptName, text: string): string | null {
  const { must, may } = slots[name]
  const used = new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, slot]) => slot as string))
  const unknown = [...used].find((slot) => !must.includes(slot) && !may.includes(slot))
  if (unknown !== undefined) return `has {{${unknown}}}, which is not known here; there are: ${[...must, ...may].join(', ')}`
  const missing = must.find((slot) => !used.has(slot))
  if (missing !== undefined) return `lacks {{${missing}}}`
  // A judge that is not told the marks can't give them.
  if (name === 'evaluator' && !(text.includes('<OK>') && text.includes('<IMPOSSIBLE>'))) return 'must name <OK> and <IMPOSSIBLE>'
  return null
}

/** Fills the slots; what fills them is not looked through again. */
export const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, slot: string) => values[slot] ?? '').trim()
