/** The explicit list of translators. */
import { type AgentTools, agentsWith } from './agents.ts'
import { templateWith } from './template.ts'
import type { ProgramTranslator } from './translator.ts'

export type { AgentTools } from './agents.ts'
export type { ProgramTranslator } from './translator.ts'
export const translatorsWith = (tools: AgentTools): readonly ProgramTranslator[] => [
  templateWith(tools.threads),
  agentsWith(tools),
]
