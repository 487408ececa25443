/** The explicit list of translators. */
import { type AgentTools, createAgentTranslator } from './agents.ts'
import { createTemplateTranslator } from './template.ts'
import type { ProgramTranslator } from './translator.ts'

export type { AgentTools } from './agents.ts'
export type { ProgramTranslator, TranslationSubject } from './translator.ts'
export const createTranslators = (tools: AgentTools): readonly ProgramTranslator[] => [
  createTemplateTranslator(tools.threads),
  createAgentTranslator(tools),
]
