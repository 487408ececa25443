/**
 * The agents' prompts: texts with {{slots}}, provided by the host, so that people can read and replace
 * them.
 */
import { findPromptFault, type PromptSlots } from '@stateeval/program'

const promptNames = ['generator', 'revise', 'evaluator'] as const
type PromptName = (typeof promptNames)[number]
export type AgentPrompts = Readonly<Record<PromptName, string>>

/** Slots that each prompt may have, and must have. */
const slots: Readonly<Record<PromptName, PromptSlots>> = {
  generator: { must: ['code', 'variables', 'result'], may: ['documentation'] },
  revise: { must: ['diagnosis'], may: [] },
  evaluator: { must: ['code', 'instruction'], may: ['documentation', 'variables', 'result', 'diagnosis'] },
}

/** The prompts as files. */
export const agentPrompts = {
  folder: new URL('../../prompts/', import.meta.url),
  names: promptNames,
  faultOf: findTemplateFault,
}

/** Finds the fault of a prompt, as the end of a sentence; null where there is none. */
function findTemplateFault(name: PromptName, text: string): string | null {
  const fault = findPromptFault(slots[name], text)
  if (fault !== null) return fault
  // A judge that is not told the marks can't give them.
  if (name === 'evaluator' && !(text.includes('<OK>') && text.includes('<IMPOSSIBLE>')))
    return 'must name <OK> and <IMPOSSIBLE>'
  return null
}

export { fillPrompt as fill } from '@stateeval/program'
