/** The explicit list of translators. */
import { type AgentTools, agentsWith } from './agents.ts'
import { templateWith } from './template.ts'
import type { Translator } from './translator.ts'

export type { AgentTools } from './agents.ts'
export type { Translator } from './translator.ts'
export const translatorsWith = (tools: AgentTools): readonly Translator[] => [
  templateWith(tools.threads),
  agentsWith(tools),
]
